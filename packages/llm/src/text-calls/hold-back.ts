import { type Held, lineReader } from "./line-reader.ts"

/** Decides how much of a streaming text can be shown: what may turn out to be a call is held back. */
export interface HoldBack {
  /** Adds text, and returns what can be shown now. */
  add(delta: string): string
  /** What was held back. */
  rest(): string
}

/** Characters; only the beginning and the end of a longer line matter. */
const maxLine = 4_000

export function holdBack(): HoldBack {
  const lines = lineReader()
  /** What is held back of earlier lines. */
  let pending = ""
  /** The incomplete line, and how much of it was shown. */
  let line = ""
  let shown = 0

  /** Shows what is not held back. */
  function show(words: string, held: Held): string {
    if (held === "earlier") return ""
    const until = Math.max(shown, held ?? words.length)
    const part = pending + words.slice(shown, until)
    pending = ""
    shown = until
    return part
  }

  /** A piece of one line, with its newline if that has come. */
  function addPiece(piece: string): string {
    if (lines.inCall) {
      pending += piece
      return ""
    }
    const newline = piece.endsWith("\n") ? "\n" : ""
    line += piece.slice(0, piece.length - newline.length)
    const whole = newline !== "" || line.length > maxLine
    const out = show(line, whole ? lines.read(line) : lines.readIncomplete(line))
    if (!whole) return out
    const held = pending !== "" || shown < line.length
    if (held) pending += line.slice(shown) + newline
    line = ""
    shown = 0
    return held ? out : out + newline
  }

  return {
    add: (delta) =>
      delta
        .split(/(?<=\n)/)
        .map(addPiece)
        .join(""),
    rest: () => pending + line.slice(shown),
  }
}
