import type { Part, Redirection, Script, Variable, Word } from "./syntax.ts"

/** State of the parser. */
export interface Parser {
  readonly text: string
  position: number
  /** Number of open substitutions and blocks. */
  depth: number
  /** Here-documents whose text begins after the next line end. */
  readonly pending: PendingHereDocument[]
  /** Parses commands up to one of these ends, without consuming it. A callback, since commands and words are mutually recursive. */
  readonly commands: (parser: Parser, ends: readonly string[]) => Script
  /** Called if the nesting is too deep and commands are skipped. */
  readonly onIncomplete: () => void
}

export interface PendingHereDocument {
  readonly redirection: Redirection
  readonly end: string
  /** Leading tabs of its lines are stripped. */
  readonly indented: boolean
  readonly quoted: boolean
}

/** Maximum nesting; deeper input is reported. */
export const maxNesting = 60

/** Parses one word from its first character up to an unquoted blank or operator. */
export function parseWord(parser: Parser): Word {
  const start = parser.position
  const parts: Part[] = []
  for (let char = peek(parser); !endsWord(parser, parts); char = peek(parser)) {
    if (char === "'") addText(parts, singleQuoted(parser), true)
    else if (char === '"') addDoubleQuoted(parser, parts)
    else if ((char === "<" || char === ">") && peek(parser, 1) === "(") {
      parser.position += 2
      parts.push({ type: "file", script: nested(parser, [")"]) })
    } else if (char === "(") addText(parts, extendedGlob(parser), false)
    else parseCharacter(parser, parts, false)
  }
  return { parts, source: parser.text.slice(start, parser.position) }
}

function endsWord(parser: Parser, parts: readonly Part[]): boolean {
  const char = peek(parser)
  if (char === "" || " \t\n;&|)".includes(char)) return true
  if (char === "<" || char === ">") return peek(parser, 1) !== "("
  // `!(x)` is a pattern; otherwise a bracket is an operator.
  return char === "(" && !/[?*+@!]$/.test(lastPlain(parts))
}

function lastPlain(parts: readonly Part[]): string {
  const last = parts.at(-1)
  return last?.type === "text" && !last.quoted ? last.text : ""
}

/** `!(x)` and similar patterns match nearly anything. */
function extendedGlob(parser: Parser): string {
  let depth = 0
  do {
    if (peek(parser) === "(") depth++
    else if (peek(parser) === ")") depth--
    parser.position++
  } while (depth > 0 && parser.position < parser.text.length)
  return "*"
}

/** Everything up to the end, which is consumed; an empty end means the end of the text, as in a here-document. */
export function parseParts(parser: Parser, end: "" | '"' | "}", quoted: boolean): Part[] {
  const parts: Part[] = []
  while (parser.position < parser.text.length && (end === "" || peek(parser) !== end)) {
    const char = peek(parser)
    if (end === "}" && char === '"') addDoubleQuoted(parser, parts)
    else if (end === "}" && !quoted && char === "'") addText(parts, singleQuoted(parser), true)
    else parseCharacter(parser, parts, quoted)
  }
  if (end !== "") parser.position++
  return parts
}

function addDoubleQuoted(parser: Parser, parts: Part[]): void {
  parser.position++
  const inside = parseParts(parser, '"', true)
  // Empty text is a word too.
  if (inside.length === 0) addText(parts, "", true)
  parts.push(...inside)
}

/** Expansions with the same meaning inside and outside double quotes. */
function parseCharacter(parser: Parser, parts: Part[], quoted: boolean): void {
  const char = peek(parser)
  if (char === "\\") return escaped(parser, parts, quoted)
  if (char === "$") return dollar(parser, parts, quoted)
  if (char === "`") {
    parser.position++
    parts.push({ type: "output", script: backquoted(parser, quoted), quoted })
    return
  }
  const run = consume(parser, /[^\\$`'"\s;&|<>(){}]+/y)
  if (run === "") parser.position++
  addText(parts, run === "" ? char : run, quoted)
}

function escaped(parser: Parser, parts: Part[], quoted: boolean): void {
  const next = peek(parser, 1)
  parser.position += 2
  // An escaped line end is removed.
  if (next === "\n") return
  addText(parts, quoted && !'$`"\\'.includes(next) ? `\\${next}` : next, true)
}

function singleQuoted(parser: Parser): string {
  const end = parser.text.indexOf("'", parser.position + 1)
  const text = parser.text.slice(parser.position + 1, end < 0 ? undefined : end)
  parser.position = end < 0 ? parser.text.length : end + 1
  return text
}

/** In backquotes a backslash escapes `, \ and $, within double quotes also those; the rest is a script. */
function backquoted(parser: Parser, quoted: boolean): Script {
  const [whole = "", inside = ""] = /^((?:[^`\\]|\\[^])*)(?:`|$)/.exec(parser.text.slice(parser.position)) ?? []
  parser.position += Math.max(whole.length, 1)
  const text = inside.replaceAll(quoted ? /\\([`\\$"])/g : /\\([`\\$])/g, "$1")
  return nested(nestedParser(parser, text), [])
}

function dollar(parser: Parser, parts: Part[], quoted: boolean): void {
  const [next, after] = [peek(parser, 1), peek(parser, 2)]
  if (next === "'" && !quoted) {
    parser.position += 2
    return addText(parts, ansiQuoted(parser), true)
  }
  if (next === "(" && after === "(" && isArithmetic(parser)) return arithmetic(parser, parts)
  if (next === "(") {
    parser.position += 2
    parts.push({ type: "output", script: nested(parser, [")"]), quoted })
    return
  }
  if (next === "{") return braced(parser, parts, quoted)
  parser.position++
  // `$"..."` is a double-quoted text.
  if (next === '"' && !quoted) return
  const name = consume(parser, /[A-Za-z_]\w*|[0-9@*#?$!-]/y)
  if (name === "") addText(parts, "$", true)
  else parts.push(variable(name, quoted))
}

function variable(name: string, quoted: boolean, more: Partial<Variable> = {}): Part {
  if (/^[#?$!]$/.test(name) && more.indirect !== true) return { type: "number", inside: [] }
  return { type: "variable", name, index: null, indirect: false, operator: "", operand: [], quoted, ...more }
}

/** `${...}`. */
function braced(parser: Parser, parts: Part[], quoted: boolean): void {
  parser.position += 2
  const isLength = consume(parser, /#(?=[A-Za-z_0-9@*])/y) !== ""
  const indirect = !isLength && consume(parser, /!(?=[A-Za-z_0-9@*])/y) !== ""
  const name = consume(parser, /[A-Za-z_]\w*|\d+|[@*#?$!-]/y)
  const index = consume(parser, /\[(?:[^\]{}]|\$\{[^}]*\}){0,200}\]/y)
  const operator = consume(parser, /:?[-=?+]|%%?|##?|\/\/?|\^\^?|,,?|@|:/y)
  const operand = parser.depth < maxNesting ? deeper(parser, () => parseParts(parser, "}", quoted)) : skipRest(parser)
  if (isLength) parts.push({ type: "number", inside: operand })
  else
    parts.push(variable(name, quoted, { index: index === "" ? null : index.slice(1, -1), indirect, operator, operand }))
}

/** `$((` may also begin a subshell; then its end is not `))`. */
function isArithmetic(parser: Parser): boolean {
  return arithmeticEnd(parser.text, parser.position + 3) >= 0
}

/** End of the double brackets opened before `from`; -1 if they are not closed as a pair. */
export function arithmeticEnd(text: string, from: number): number {
  for (let [index, depth] = [from, 0]; index < text.length; index++) {
    if (text[index] === "(") depth++
    else if (text[index] === ")" && depth-- === 0) return text[index + 1] === ")" ? index : -1
  }
  return -1
}

function arithmetic(parser: Parser, parts: Part[]): void {
  const end = arithmeticEnd(parser.text, parser.position + 3)
  const text = parser.text.slice(parser.position + 3, end)
  parser.position = end + 2
  const inside = parser.depth < maxNesting ? parseParts(nestedParser(parser, text), "", true) : skipRest(parser)
  parts.push({ type: "number", inside })
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
}

/** `$'...'`, after its opening quote. */
function ansiQuoted(parser: Parser): string {
  const form = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([^])|([^]))/y
  let text = ""
  while (parser.position < parser.text.length && peek(parser) !== "'") {
    form.lastIndex = parser.position
    const [whole, byte, short, long, octal, control, other = ""] = form.exec(parser.text) ?? []
    if (whole === undefined) {
      text += peek(parser)
      parser.position++
      continue
    }
    parser.position += whole.length
    const hex = byte ?? short ?? long
    if (hex !== undefined) text += characterOf(Number.parseInt(hex, 16))
    else if (octal !== undefined) text += characterOf(Number.parseInt(octal, 8))
    else text += control === undefined ? (escapes[other] ?? other) : characterOf(control.charCodeAt(0) % 32)
  }
  parser.position++
  return text
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ""
}

/** A nested parser for a text inside this one. */
export function nestedParser(
  { commands, depth, onIncomplete }: Pick<Parser, "commands" | "depth" | "onIncomplete">,
  text: string,
): Parser {
  return { text, position: 0, depth: depth + 1, pending: [], commands, onIncomplete }
}

function nested(parser: Parser, ends: readonly string[]): Script {
  if (parser.depth >= maxNesting) {
    skipRest(parser)
    return []
  }
  const script = deeper(parser, () => parser.commands(parser, ends))
  parser.position++
  return script
}

function deeper<T>(parser: Parser, read: () => T): T {
  parser.depth++
  const value = read()
  parser.depth--
  return value
}

export function skipRest(parser: Parser): [] {
  parser.onIncomplete()
  parser.position = parser.text.length
  return []
}

function addText(parts: Part[], text: string, quoted: boolean): void {
  const last = parts.at(-1)
  if (last?.type === "text" && last.quoted === quoted) parts[parts.length - 1] = { ...last, text: last.text + text }
  else parts.push({ type: "text", text, quoted })
}

/** The character at this position; empty after the end. */
export function peek(parser: Parser, ahead = 0): string {
  return parser.text[parser.position + ahead] ?? ""
}

/** Consumes a match of a sticky pattern; empty for none. */
export function consume(parser: Parser, pattern: RegExp): string {
  pattern.lastIndex = parser.position
  const found = pattern.exec(parser.text)?.[0] ?? ""
  parser.position += found.length
  return found
}
