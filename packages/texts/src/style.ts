import { colorCode, type Depth, depthOf, paletteCode } from "./colors.ts"
import { printable, printableLine } from "./printable.ts"

/** Visually distinct kinds of text; a theme assigns colours to them. `look`: what stays in another colour. */
export const roles = {
  strong: { look: "bold", color: null, about: "names and heads" },
  muted: { look: "dim", color: null, about: "secondary text" },
  accent: { look: null, color: "36", about: "the selected row, and what needs attention" },
  added: { look: null, color: "32", about: "added lines of a diff" },
  removed: { look: null, color: "31", about: "removed lines of a diff" },
  match: { look: null, color: "33", about: "matches of a search" },
  warn: { look: null, color: "33", about: "warnings" },
  error: { look: null, color: "31", about: "errors" },
  heading: { look: "bold", color: null, about: "headings in Markdown" },
  link: { look: "underline", color: "34", about: "links" },
  code: { look: null, color: "36", about: "code within a sentence" },
  quote: { look: "dim", color: null, about: "quotations" },
  keyword: { look: null, color: "35", about: "keywords of code" },
  string: { look: null, color: "32", about: "strings of code" },
  number: { look: null, color: "36", about: "numbers and constants of code" },
  comment: { look: "dim", color: null, about: "comments of code" },
} as const satisfies Readonly<Record<string, RoleStyle>>

export type Role = keyof typeof roles

/** Looks of Markdown and of the output of commands; no theme changes them. */
export const emphases = {
  emphasis: "italic",
  struck: "strike",
  bold: "bold",
  dim: "dim",
  underline: "underline",
  inverse: "inverse",
} as const

interface RoleStyle {
  readonly look: Look | null
  /** Escape sequence parameters. */
  readonly color: string | null
  readonly about: string
}

const looks = {
  bold: { on: "1", off: "22" },
  dim: { on: "2", off: "22" },
  italic: { on: "3", off: "23" },
  underline: { on: "4", off: "24" },
  inverse: { on: "7", off: "27" },
  strike: { on: "9", off: "29" },
} as const

type Look = keyof typeof looks

/**
 * The only source of escape sequences: each function sanitizes its text, then styles it. Results may be concatenated
 * and are written unchanged; they are never styled twice.
 */
export type Style = Readonly<Record<Role, Dress>> & {
  readonly text: Dress
  /** On one line, for names and titles. */
  readonly line: Dress
  /** In several roles at once, separated by blanks; `fg:N` and `fg:#rrggbb` are colours. Unknown ones have no effect. */
  styled(text: string, names: string): string
}

type Dress = (text: string) => string

export interface StyleQuery {
  /** Whether the output is a terminal; bytes written to a pipe stay unchanged (engine D28). */
  readonly terminal: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** Escape sequence parameters for the colour of a role; the terminal's default if absent. */
  readonly colors?: Readonly<Partial<Record<Role, string>>>
}

export const roleNames = Object.keys(roles) as readonly Role[]

export function createStyle({ terminal, env, colors = {} }: StyleQuery): Style {
  const same: Dress = (text) => text
  if (!terminal) return { text: same, line: same, styled: same, ...everyRole(() => same) }
  const plain = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb"
  const depth = depthOf(env)
  const styled = (text: string, names: string): string => {
    if (plain || text === "") return printable(text)
    const { on, off } = codesOf(names, colors, depth)
    return on === "" ? printable(text) : `\u001b[${on}m${printable(text)}\u001b[${off}m`
  }
  return { text: printable, line: printableLine, styled, ...everyRole((role) => (text) => styled(text, role)) }
}

/** Parameters that begin and end these roles. A colour of the theme replaces the default colour and a dim look. */
function codesOf(names: string, colors: NonNullable<StyleQuery["colors"]>, depth: Depth) {
  const on: string[] = []
  const off: string[] = []
  for (const name of names.split(" ")) {
    const role: RoleStyle | null = isRole(name) ? roles[name] : null
    const chosen = isRole(name) ? colors[name] : undefined
    const color = chosen ?? role?.color ?? outputColor(name, depth)
    const look = isEmphasis(name) ? emphases[name] : (role?.look ?? null)
    if (look !== null && !(look === "dim" && chosen !== undefined)) {
      on.push(looks[look].on)
      off.push(looks[look].off)
    }
    if (color !== null) {
      on.push(color)
      off.push("39")
    }
  }
  return { on: on.join(";"), off: off.join(";") }
}

/** The colour of a command's output; null: none. */
function outputColor(name: string, depth: Depth): string | null {
  const [, palette, hex] = /^fg:(?:(\d{1,3})|(#[\da-f]{6}))$/.exec(name) ?? []
  if (palette !== undefined) return Number(palette) < 256 ? paletteCode(Number(palette), depth) : null
  return hex === undefined ? null : colorCode(hex, depth)
}

function isRole(name: string): name is Role {
  return Object.hasOwn(roles, name)
}

function isEmphasis(name: string): name is keyof typeof emphases {
  return Object.hasOwn(emphases, name)
}

function everyRole(dress: (role: Role) => Dress): Readonly<Record<Role, Dress>> {
  return Object.fromEntries(roleNames.map((role) => [role, dress(role)])) as Record<Role, Dress>
}
