import { titleBytes } from "./attention.ts"

const CSI = "\u001b["

/** Marked pastes, reports of the focus, and keys with modifiers: the protocol of kitty, else that of xterm. Terminals ignore what they do not know. */
const modesOn = `${CSI}?2004h${CSI}?1004h${CSI}>4;2m${CSI}>1u`
/** The cursor, synchronized updates and styles are restored too: the last frame may have been cut. */
export const modesOff = `${CSI}<u${CSI}>4;0m${CSI}?1004l${CSI}?2004l${CSI}?2026l${CSI}?25h${CSI}0m`

/** Words of `stty` that undo the raw mode of Node, and nothing else. */
export const lineModes = ["isig", "icanon", "iexten", "echo", "icrnl", "ixon"] as const

const pushTitle = `${CSI}22;0t`
const popTitle = `${CSI}23;0t`
const alternateOn = `${CSI}?1049h${CSI}H`
const alternateOff = `${CSI}?1049l`

/** The modes of a terminal that Gong changes. */
export function terminalModes(write: (bytes: string) => void) {
  let isAlternate = false
  let hasTitle = false
  return {
    /** The bytes that set them. */
    on: modesOn,
    /** The bytes that restore all of them. */
    off(): string {
      const bytes = `${isAlternate ? alternateOff : ""}${hasTitle ? popTitle : ""}${modesOff}`
      hasTitle = false
      return bytes
    },
    showAlternate(isShown: boolean): void {
      isAlternate = isShown
      write(isShown ? alternateOn : alternateOff)
    },
    setTitle(title: string): void {
      write(`${hasTitle ? "" : pushTitle}${titleBytes(title)}`)
      hasTitle = true
    },
  }
}
