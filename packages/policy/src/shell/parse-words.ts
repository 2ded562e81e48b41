import type { Part, Redirection, Script, Variable, Word } from "./syntax.ts"

/** State of the parser. */
export interface Reader {
  readonly text: string
  at: number
  /** Number of open substitutions and blocks. */
  depth: number
  /** Here-documents whose text begins after the next line end. */
  readonly pending: PendingText[]
  /** Parses commands up to one of these ends, without consuming it. A callback, since commands and words are mutually recursive. */
  readonly commands: (reader: Reader, ends: readonly string[]) => Script
  /** Called if the nesting is too deep and commands are skipped. */
  readonly skips: () => void
}

export interface PendingText {
  readonly redirection: Redirection
  readonly end: string
  /** Leading tabs of its lines are stripped. */
  readonly indented: boolean
  readonly quoted: boolean
}

/** Maximum nesting; deeper input is reported. */
export const maxNesting = 60

/** Parses one word from its first character up to an unquoted blank or operator. */
export function readWord(reader: Reader): Word {
  const start = reader.at
  const parts: Part[] = []
  for (let char = at(reader); !endsWord(reader, parts); char = at(reader)) {
    if (char === "'") addText(parts, singleQuoted(reader), true)
    else if (char === '"') {
      reader.at++
      const inside = readParts(reader, '"', true)
      // Empty text is a word too.
      if (inside.length === 0) addText(parts, "", true)
      parts.push(...inside)
    } else if ((char === "<" || char === ">") && at(reader, 1) === "(") {
      reader.at += 2
      parts.push({ type: "file", script: nested(reader, [")"]) })
    } else if (char === "(") addText(parts, extendedGlob(reader), false)
    else readCharacter(reader, parts, false)
  }
  return { parts, source: reader.text.slice(start, reader.at) }
}

function endsWord(reader: Reader, parts: readonly Part[]): boolean {
  const char = at(reader)
  if (char === "" || " \t\n;&|)".includes(char)) return true
  if (char === "<" || char === ">") return at(reader, 1) !== "("
  // `!(x)` is a pattern; otherwise a bracket is an operator.
  return char === "(" && !/[?*+@!]$/.test(lastPlain(parts))
}

function lastPlain(parts: readonly Part[]): string {
  const last = parts.at(-1)
  return last?.type === "text" && !last.quoted ? last.text : ""
}

/** `!(x)` and similar patterns match nearly anything. */
function extendedGlob(reader: Reader): string {
  let depth = 0
  do {
    if (at(reader) === "(") depth++
    else if (at(reader) === ")") depth--
    reader.at++
  } while (depth > 0 && reader.at < reader.text.length)
  return "*"
}

/** Everything up to the end, which is consumed; an empty end means the end of the text, as in a here-document. */
export function readParts(reader: Reader, end: "" | '"' | "}", quoted: boolean): Part[] {
  const parts: Part[] = []
  while (reader.at < reader.text.length && (end === "" || at(reader) !== end)) {
    const char = at(reader)
    if (end === "}" && char === '"') {
      reader.at++
      parts.push(...readParts(reader, '"', true))
    } else if (end === "}" && !quoted && char === "'") addText(parts, singleQuoted(reader), true)
    else readCharacter(reader, parts, quoted)
  }
  if (end !== "") reader.at++
  return parts
}

/** Expansions with the same meaning inside and outside double quotes. */
function readCharacter(reader: Reader, parts: Part[], quoted: boolean): void {
  const char = at(reader)
  if (char === "\\") return escaped(reader, parts, quoted)
  if (char === "$") return dollar(reader, parts, quoted)
  if (char === "`") {
    reader.at++
    parts.push({ type: "output", script: backquoted(reader, quoted), quoted })
    return
  }
  const run = matched(reader, /[^\\$`'"\s;&|<>(){}]+/y)
  if (run === "") reader.at++
  addText(parts, run === "" ? char : run, quoted)
}

function escaped(reader: Reader, parts: Part[], quoted: boolean): void {
  const next = at(reader, 1)
  reader.at += 2
  // An escaped line end is removed.
  if (next === "\n") return
  addText(parts, quoted && !'$`"\\'.includes(next) ? `\\${next}` : next, true)
}

function singleQuoted(reader: Reader): string {
  const end = reader.text.indexOf("'", reader.at + 1)
  const text = reader.text.slice(reader.at + 1, end < 0 ? undefined : end)
  reader.at = end < 0 ? reader.text.length : end + 1
  return text
}

/** In backquotes a backslash escapes `, \ and $, within double quotes also those; the rest is a script. */
function backquoted(reader: Reader, quoted: boolean): Script {
  const [whole = "", inside = ""] = /^((?:[^`\\]|\\[^])*)(?:`|$)/.exec(reader.text.slice(reader.at)) ?? []
  reader.at += Math.max(whole.length, 1)
  const text = inside.replaceAll(quoted ? /\\([`\\$"])/g : /\\([`\\$])/g, "$1")
  return nested(readerOf(reader, text), [])
}

function dollar(reader: Reader, parts: Part[], quoted: boolean): void {
  const [next, after] = [at(reader, 1), at(reader, 2)]
  if (next === "'" && !quoted) {
    reader.at += 2
    return addText(parts, ansiQuoted(reader), true)
  }
  if (next === "(" && after === "(" && isArithmetic(reader)) return arithmetic(reader, parts)
  if (next === "(") {
    reader.at += 2
    parts.push({ type: "output", script: nested(reader, [")"]), quoted })
    return
  }
  if (next === "{") return braced(reader, parts, quoted)
  reader.at++
  // `$"..."` is a double-quoted text.
  if (next === '"' && !quoted) return
  const name = matched(reader, /[A-Za-z_]\w*|[0-9@*#?$!-]/y)
  if (name === "") addText(parts, "$", true)
  else parts.push(variable(name, quoted))
}

function variable(name: string, quoted: boolean, more: Partial<Variable> = {}): Part {
  if (/^[#?$!]$/.test(name) && more.indirect !== true) return { type: "number", inside: [] }
  return { type: "variable", name, index: null, indirect: false, operator: "", operand: [], quoted, ...more }
}

/** `${...}`. */
function braced(reader: Reader, parts: Part[], quoted: boolean): void {
  reader.at += 2
  const counts = matched(reader, /#(?=[A-Za-z_0-9@*])/y) !== ""
  const indirect = !counts && matched(reader, /!(?=[A-Za-z_0-9@*])/y) !== ""
  const name = matched(reader, /[A-Za-z_]\w*|\d+|[@*#?$!-]/y)
  const index = matched(reader, /\[(?:[^\]{}]|\$\{[^}]*\}){0,200}\]/y)
  const operator = matched(reader, /:?[-=?+]|%%?|##?|\/\/?|\^\^?|,,?|@|:/y)
  const operand = reader.depth < maxNesting ? deeper(reader, () => readParts(reader, "}", quoted)) : skipRest(reader)
  if (counts) parts.push({ type: "number", inside: operand })
  else
    parts.push(variable(name, quoted, { index: index === "" ? null : index.slice(1, -1), indirect, operator, operand }))
}

/** `$((` may also begin a subshell; then its end is not `))`. */
function isArithmetic(reader: Reader): boolean {
  return arithmeticEnd(reader.text, reader.at + 3) >= 0
}

/** End of the double brackets opened before `from`; -1 if they are not closed as a pair. */
export function arithmeticEnd(text: string, from: number): number {
  for (let [place, depth] = [from, 0]; place < text.length; place++) {
    if (text[place] === "(") depth++
    else if (text[place] === ")" && depth-- === 0) return text[place + 1] === ")" ? place : -1
  }
  return -1
}

function arithmetic(reader: Reader, parts: Part[]): void {
  const end = arithmeticEnd(reader.text, reader.at + 3)
  const text = reader.text.slice(reader.at + 3, end)
  reader.at = end + 2
  const inside = reader.depth < maxNesting ? readParts(readerOf(reader, text), "", true) : skipRest(reader)
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
function ansiQuoted(reader: Reader): string {
  const form = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([^])|([^]))/y
  let text = ""
  while (reader.at < reader.text.length && at(reader) !== "'") {
    form.lastIndex = reader.at
    const [whole, byte, short, long, octal, control, other = ""] = form.exec(reader.text) ?? []
    if (whole === undefined) {
      text += at(reader)
      reader.at++
      continue
    }
    reader.at += whole.length
    const hex = byte ?? short ?? long
    if (hex !== undefined) text += characterOf(Number.parseInt(hex, 16))
    else if (octal !== undefined) text += characterOf(Number.parseInt(octal, 8))
    else text += control === undefined ? (escapes[other] ?? other) : characterOf(control.charCodeAt(0) % 32)
  }
  reader.at++
  return text
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ""
}

/** A nested parser for a text inside this one. */
export function readerOf(
  { commands, depth, skips }: Pick<Reader, "commands" | "depth" | "skips">,
  text: string,
): Reader {
  return { text, at: 0, depth: depth + 1, pending: [], commands, skips }
}

function nested(reader: Reader, ends: readonly string[]): Script {
  if (reader.depth >= maxNesting) {
    skipRest(reader)
    return []
  }
  const script = deeper(reader, () => reader.commands(reader, ends))
  reader.at++
  return script
}

function deeper<T>(reader: Reader, read: () => T): T {
  reader.depth++
  const value = read()
  reader.depth--
  return value
}

export function skipRest(reader: Reader): [] {
  reader.skips()
  reader.at = reader.text.length
  return []
}

function addText(parts: Part[], text: string, quoted: boolean): void {
  const last = parts.at(-1)
  if (last?.type === "text" && last.quoted === quoted) parts[parts.length - 1] = { ...last, text: last.text + text }
  else parts.push({ type: "text", text, quoted })
}

/** The character at this position; empty after the end. */
export function at(reader: Reader, ahead = 0): string {
  return reader.text[reader.at + ahead] ?? ""
}

/** Consumes a match of a sticky pattern; empty for none. */
export function matched(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)?.[0] ?? ""
  reader.at += found.length
  return found
}
