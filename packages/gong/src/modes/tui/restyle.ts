import type { ThemeStyle } from "../../terminal/theme-style.ts"
import type { ScreenPainter } from "./painter.ts"

/** Loads the theme, which may have changed, and draws with it. */
export function restyle(theme: ThemeStyle, painter: ScreenPainter): void {
  const { style } = theme
  theme.load((query) => {
    painter.signal(query)
    if (theme.style !== style) painter.redraw()
  })
}
