import { printable, printableLine } from "./printable.ts"

/** Visually distinct kinds of text; a theme assigns colours to them. */
export const roles = {
  strong: { on: "1", off: "22", about: "names and heads" },
  muted: { on: "2", off: "22", about: "what is said beside" },
  added: { on: "32", off: "39", about: "lines that a change brings" },
  removed: { on: "31", off: "39", about: "lines that a change takes" },
  match: { on: "33", off: "39", about: "what was searched for" },
} as const

export type Role = keyof typeof roles

/**
 * The only source of escape sequences: each function sanitizes its text, then styles it. Results may be concatenated
 * and are written unchanged; they are never styled twice.
 */
export type Style = Readonly<Record<Role, Dress>> & {
  readonly text: Dress
  /** On one line, for names and titles. */
  readonly line: Dress
}

type Dress = (text: string) => string

export interface StyleQuery {
  /** Whether the output is a terminal; bytes written to a pipe stay unchanged (engine D28). */
  readonly terminal: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** Escape sequence parameters for the colour of a role; the terminal's default if absent. */
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

/** A colour replaces the role's default look; only bold is kept. */
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
