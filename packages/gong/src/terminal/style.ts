import { printable, printableLine } from "./sink.ts"

/**
 * The only source of escape sequences: each function makes its text safe and then dresses it. Results may be joined, and are
 * written as they are; they are never dressed twice.
 */
export interface Style {
  readonly text: Dress
  /** On one line, for names and titles. */
  readonly line: Dress
  readonly bold: Dress
  readonly dim: Dress
  readonly red: Dress
  readonly green: Dress
  readonly yellow: Dress
  readonly cyan: Dress
}

type Dress = (text: string) => string

export interface StyleQuery {
  /** What is written goes to a terminal; into a pipe the bytes stay as they are (engine D28). */
  readonly terminal: boolean
  readonly env: Readonly<Record<string, string | undefined>>
}

export function createStyle({ terminal, env }: StyleQuery): Style {
  const same: Dress = (text) => text
  if (!terminal) {
    return { text: same, line: same, bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }
  }
  const plain = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb"
  const dress = (on: number, off: number): Dress =>
    plain ? printable : (text) => (text === "" ? "" : `\u001b[${on}m${printable(text)}\u001b[${off}m`)
  return {
    text: printable,
    line: printableLine,
    bold: dress(1, 22),
    dim: dress(2, 22),
    red: dress(31, 39),
    green: dress(32, 39),
    yellow: dress(33, 39),
    cyan: dress(36, 39),
  }
}
