import type { ImageProtocol } from "@gong/screen/image"

/** What a terminal can do, by the environment: a query would be answered after the first frame. */
export interface Abilities {
  /** It breaks its rows anew when its width changes; xterm, screen and the console of Linux do not. */
  readonly reflows: boolean
  /** Milliseconds after a change of the size in which it may change it again, perhaps unannounced. */
  readonly resizeMs: number
  /** It shows hyperlinks (OSC 8), or ignores them. */
  readonly hasLinks: boolean
  /** It has a title that can be set. */
  readonly hasTitle: boolean
  /** Null: it shows no images. */
  readonly images: ImageProtocol | null
}

type Env = Readonly<Record<string, string | undefined>>

const RESIZE_MS = 50
/** tmux changes the pane at once, and tells the program every 250 ms. */
const TMUX_RESIZE_MS = 300

export function abilitiesOf(env: Env): Abilities {
  const { TERM = "", TMUX, XTERM_VERSION } = env
  // It would show titles and links as text.
  const isConsole = TERM === "linux"
  return {
    reflows: TMUX !== undefined || (XTERM_VERSION === undefined && !/^(?:screen|linux)/.test(TERM)),
    resizeMs: TMUX === undefined ? RESIZE_MS : TMUX_RESIZE_MS,
    hasLinks: !isConsole,
    hasTitle: !isConsole,
    images: imageProtocol(env),
  }
}

/** Multiplexers do not pass images on. */
function imageProtocol(env: Env): ImageProtocol | null {
  const { TERM = "", TERM_PROGRAM = "", LC_TERMINAL, TMUX, STY, ZELLIJ } = env
  if (TMUX !== undefined || STY !== undefined || ZELLIJ !== undefined || /^(?:screen|tmux)/.test(TERM)) return null
  if (/^xterm-(?:kitty|ghostty)$/.test(TERM) || TERM_PROGRAM === "ghostty") return "kitty"
  return /^(?:iTerm\.app|WezTerm|mintty)$/.test(TERM_PROGRAM) || LC_TERMINAL === "iTerm2" ? "iterm" : null
}
