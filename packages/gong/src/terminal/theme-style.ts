import type { SessionSpec } from "@gong/config/session-spec"
import { hasLightBackground } from "@gong/texts/colors"
import type { Style } from "@gong/texts/style"
import type { Cli } from "../cli.ts"

/** The style of the selected theme, on the background of this terminal. */
export interface ThemeStyle {
  /** The default one until the theme is loaded. */
  readonly style: Style
  /** Loads the theme, which may have changed. `loaded` gets a query for the terminal; empty: the background makes no difference. */
  load(loaded?: (query: string) => void): void
  /** Takes an answer of the terminal. Returns whether the style has changed. */
  reply(text: string): boolean
}

/** The colour of the background (OSC 11 of xterm). */
const QUERY = "\u001b]11;?\u001b\\"
// oxlint-disable-next-line no-control-regex
const answer = /^\u001b\]11;rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)/i

export function themeStyle(cli: Cli, spec: SessionSpec): ThemeStyle {
  let styles = { dark: cli.style, light: cli.style }
  let isLight = hasLightBackground(cli.env)
  return {
    get style() {
      return isLight ? styles.light : styles.dark
    },
    load(loaded = () => undefined) {
      const loading = import("@gong/app/compose/resources/theme").then(({ chosenStyles }) => chosenStyles(cli, spec))
      loading.then(
        (found) => {
          styles = found
          loaded(found.light === found.dark ? "" : QUERY)
        },
        () => undefined,
      )
    },
    reply(text) {
      const channels = answer.exec(text)?.slice(1)
      if (channels === undefined) return false
      const before = isLight
      isLight = brightness(channels) > 0.5
      return isLight !== before
    },
  }
}

/** Of hexadecimal channels of any length: 0 is black, 1 white (the weights of ITU-R BT.601). */
function brightness(channels: readonly string[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1))
  return 0.299 * red + 0.587 * green + 0.114 * blue
}
