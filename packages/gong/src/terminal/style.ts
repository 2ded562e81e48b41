import { printable, printableLine } from "./sink.ts"

/** What a text is, as far as it looks different; a theme gives each a colour. */
export const roles = {
  strong: { on: "1", off: "22", about: "names and heads" },
  muted: { on: "2", off: "22", about: "what is said beside" },
  added: { on: "32", off: "39", about: "lines that a change brings" },
  removed: { on: "31", off: "39", about: "lines that a change takes" },
  match: { on: "33", off: "39", about: "what was searched for" },
} as const

export type Role = keyof typeof roles

/**
 * The only source of escape sequences: each function makes its text safe and then dresses it. Results may be joined, and are
 * written as they are; they are never dressed twice.
 */
export type Style = Readonly<Record<Role, Dress>> & {
  readonly text: Dress
  /** On one line, for names and titles. */
  readonly line: Dress
}

type Dress = (text: string) => string

export interface StyleQuery {
  /** What is written goes to a terminal; into a pipe the bytes stay as they are (engine D28). */
  readonly terminal: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** Parameters of the escape sequence for the colour of a role; without one it is the terminal's own. */
  readonly colors?: Readonly<Partial<Record<Role, string>>>
}

export function createStyle({ terminal, env, colors = {} }: StyleQuery): Style {
  const same: Dress = (text) => text
  if (!terminal) return { text: same, line: same, ...everyRole(() => same) }
  const plain = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb"
  const dress = (role: Role): Dress => {
    if (plain) return printable
    const { on, off } = dressing(role, colors[role])
    return (text) => (text === "" ? "" : `\u001b[${on}m${printable(text)}\u001b[${off}m`)
  }
  return { text: printable, line: printableLine, ...everyRole(dress) }
}

/** A colour takes the place of a role's own look; only what is strong stays so. */
function dressing(role: Role, color: string | undefined): { readonly on: string; readonly off: string } {
  if (color === undefined) return roles[role]
  return role === "strong" ? { on: `1;${color}`, off: "22;39" } : { on: color, off: "39" }
}

function everyRole(dress: (role: Role) => Dress): Readonly<Record<Role, Dress>> {
  const [strong, muted, added, removed, match] = [
    dress("strong"),
    dress("muted"),
    dress("added"),
    dress("removed"),
    dress("match"),
  ]
  return { strong, muted, added, removed, match }
}
