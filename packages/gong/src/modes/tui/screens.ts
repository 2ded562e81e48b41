import { createFrame, type Frame, type Paint, type Size } from "@gong/screen/frame"
import type { Translate } from "@gong/texts/translator"
import type { Tty } from "../../terminal/tty.ts"
import { readerView } from "./reader/view.ts"
import type { State } from "./state.ts"
import { view } from "./view.ts"

export interface ScreensOptions {
  readonly t: Translate
  readonly tty: Tty
  readonly paint: Paint
  /** The terminal breaks lines anew when its width changes. */
  readonly reflows: boolean
}

/** Only the alternate screen is ever cleared. */
const CLEAR = "\u001b[H\u001b[J"

/** The normal screen with the conversation, and the alternate one with a text that is read, which has no scrollback. */
export function createScreens({ t, tty, paint, reflows }: ScreensOptions) {
  const normal = createFrame({ paint, reflows })
  let alternate: { readonly frame: Frame; readonly size: Size } | null = null

  function alternateFrame(size: Size, isChanged: boolean): Frame {
    const isSameSize = alternate?.size.columns === size.columns && alternate.size.rows === size.rows
    if (alternate === null) tty.showAlternate(true)
    else if (!isSameSize || isChanged) tty.write(CLEAR)
    if (alternate === null || !isSameSize || isChanged)
      alternate = { frame: createFrame({ paint, reflows: false }), size }
    return alternate.frame
  }

  return {
    /** `redraw`: the terminal may have changed the screen. */
    draw(how: "render" | "redraw", state: State): void {
      const { reader, size, hint } = state
      if (reader === null && alternate !== null) {
        tty.showAlternate(false)
        alternate = null
      }
      const bytes =
        reader === null
          ? normal[how](view(t, state), size)
          : alternateFrame(size, how === "redraw").render(readerView(t, reader, size, hint), size)
      if (bytes !== "") tty.write(bytes)
    },
    /** Takes the live region off the normal screen; the alternate one is left. */
    clear(): void {
      if (alternate !== null) tty.showAlternate(false)
      alternate = null
      tty.write(normal.clear())
    },
  }
}
