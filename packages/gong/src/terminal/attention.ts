import { printableLine } from "@gong/texts/printable"

const OSC = "\u001b]"
const BEL = "\u0007"
const ST = "\u001b\\"
const TEXT_MAX = 100

/** Sets the title of the window. */
export function titleBytes(title: string): string {
  return `${OSC}0;${shortLine(title)}${BEL}`
}

/** A notification of the desktop, where the terminal has one: kitty, iTerm2, WezTerm, Ghostty, VTE; else the bell. */
export function notificationBytes(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const { TERM = "", TERM_PROGRAM = "", VTE_VERSION, TMUX } = env
  const line = shortLine(text)
  if (TMUX !== undefined) return BEL
  if (TERM === "xterm-kitty") return `${OSC}99;;${line}${ST}`
  if (/^(?:iTerm\.app|WezTerm|ghostty)$/i.test(TERM_PROGRAM) || TERM === "xterm-ghostty") return `${OSC}9;${line}${BEL}`
  return VTE_VERSION === undefined ? BEL : `${OSC}777;notify;Gong;${line.replaceAll(";", ",")}${BEL}`
}

function shortLine(text: string): string {
  return [...printableLine(text)].slice(0, TEXT_MAX).join("")
}
