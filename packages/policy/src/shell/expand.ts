import { literalWild, type Wild, wildTest } from "@gong/spec"
import { expandBraces } from "./braces.ts"
import { escapeRegExp } from "../paths.ts"
import type { Part, Script, Variable, Word } from "./syntax.ts"
import {
  bounded,
  combinations,
  union,
  type Fields,
  isKnown,
  maxAlternatives,
  maxFields,
  joinedTexts,
  textValue,
  unknown,
  unknownValue,
  type Value,
} from "./value.ts"

/** Access of expansions to the shell state. */
export interface Scope {
  /** Empty: not set. */
  lookup(name: string): Value
  assign(name: string, value: Value): void
  /** Runs it and returns its output. */
  output(script: Script): readonly string[]
  /** The same as a file with this name. */
  file(script: Script): string
  /** The value of `~` with this suffix. */
  homeOf(user: string): readonly string[]
}

/** The fields that a command word expands to. Without any possibility the shell fails there. */
export function fieldsOf(word: Word, scope: Scope): Value {
  const assigns = isAssignment(word)
  const each = expandBraces(word.parts).map((parts) => alternativesOf(withTilde(parts, scope, assigns), scope))
  const alternatives = combinations(each)
  return alternatives === null ? unknownValue : bounded(alternatives.map((fields) => fields.flat()))
}

/** The value of a word without field splitting: in assignments, comparisons and redirections. */
export function unsplitTexts(parts: readonly Part[], scope: Scope): readonly string[] {
  const quoted = parts.map((part): Part =>
    part.type === "variable" || part.type === "output" ? { ...part, quoted: true } : part,
  )
  return joinedTexts(alternativesOf(withTilde(quoted, scope, true), scope))
}

export function isAssignment({ parts }: Pick<Word, "parts">): boolean {
  const [first] = parts
  return first?.type === "text" && !first.quoted && assignment.test(first.text)
}

export const assignment = /^([A-Za-z_]\w*)(\[[^\]]*\])?(\+?)=/

/** `~` at the beginning, and in an assignment after `=` and `:`, if only plain text follows up to the next `/`. */
function withTilde(parts: readonly Part[], scope: Scope, assigns: boolean): readonly Part[] {
  return parts.flatMap((part, index): Part | Part[] => {
    if (part.type !== "text" || part.quoted || !part.text.includes("~")) return part
    const pattern = assigns ? /(?<=^|[=:])~([^/:]*)(?=[/:]|$)/g : /^~([^/]*)(?=\/|$)/g
    const pieces: Part[] = []
    let end = 0
    for (const match of part.text.matchAll(pattern)) {
      const isOpen = match.index + match[0].length === part.text.length && index < parts.length - 1
      if (isOpen || (match.index === 0 && index > 0)) continue
      pieces.push(
        { type: "text", text: part.text.slice(end, match.index), quoted: false },
        homePart(scope.homeOf(match[1] ?? "")),
      )
      end = match.index + match[0].length
    }
    return [...pieces, { type: "text", text: part.text.slice(end), quoted: false }]
  })
}

function homePart(homes: readonly string[]): Part {
  return { type: "text", text: homes.length === 1 ? (homes[0] ?? unknown) : unknown, quoted: true }
}

/** A word under construction: complete fields, and the open one. */
interface PartialWord {
  readonly done: Fields
  readonly open: string | null
}

function alternativesOf(parts: readonly Part[], scope: Scope): Value {
  const alternatives = appendParts([{ done: [], open: null }], parts, scope, false)
  return alternatives === null
    ? unknownValue
    : bounded(alternatives.map(({ done, open }) => (open === null ? done : [...done, open])))
}

/** Null: too many. */
type PartialWords = readonly PartialWord[] | null

/** `inOperand`: unquoted text is split too. */
function appendParts(
  start: readonly PartialWord[],
  parts: readonly Part[],
  scope: Scope,
  inOperand: boolean,
): PartialWords {
  let words: PartialWords = start
  for (const part of parts) {
    if (part.type === "variable" && !part.quoted && /^:?[-+]$/.test(part.operator))
      words = appendOptional(words, part, scope)
    else {
      const given = valueOf(part, scope)
      words = words.flatMap((word) => given.map((fields) => appendPart(word, fields, part, scope, inOperand)))
    }
    if (words === null || words.length > maxAlternatives) return null
    if (words.some(({ done }) => done.length > maxFields)) return null
  }
  return words
}

/** `${NAME-WORD}` and `${NAME+WORD}`: the operand stands in the place of the expansion, with its own quotes. */
function appendOptional(words: readonly PartialWord[], part: Variable, scope: Scope): PartialWords {
  const { values, takesOperand } = choice(part, variableValue(part, scope))
  const plain = words.flatMap((word) => values.map((fields) => appendPart(word, fields, part, scope, false)))
  if (!takesOperand) return plain
  const others = appendParts(words, withTilde(part.operand, scope, false), scope, true)
  return others === null ? null : [...plain, ...others]
}

function appendPart(word: PartialWord, fields: Fields, part: Part, scope: Scope, inOperand: boolean): PartialWord {
  const isExpansion = part.type === "variable" || part.type === "output"
  const splits = (isExpansion || (inOperand && part.type === "text")) && !part.quoted
  // Empty unquoted text is not a field.
  const isOpenText = splits || (part.type === "text" && !part.quoted)
  const pieces = splits ? fields.flatMap((field) => field.split(separators(scope.lookup))) : fields
  const [first, ...rest] = pieces
  if (first === undefined || (isOpenText && pieces.join("") === "" && rest.length === 0)) return word
  // Separators at the edges end the previous field and begin the next.
  const opened = splits && first === "" && word.open === null ? [] : [(word.open ?? "") + first]
  const last = rest.pop()
  if (last === undefined) return { done: word.done, open: opened[0] ?? null }
  const between = splits ? rest.filter((piece) => piece !== "") : rest
  return { done: [...word.done, ...opened, ...between], open: splits && last === "" ? null : last }
}

/** The field separators: blanks, or IFS. */
export function separators(lookup: Scope["lookup"]): RegExp {
  const [fields = [], ...others] = lookup("IFS")
  const [given] = fields
  if (given === undefined || others.length > 0 || !isKnown(given)) return /[ \t\n]+/
  return given === "" ? /(?!)/ : new RegExp(`[${escapeRegExp(given).replaceAll("-", "\\-")}]+`)
}

function valueOf(part: Part, scope: Scope): Value {
  switch (part.type) {
    case "text":
      return [[part.text]]
    case "number":
      alternativesOf(part.inside, scope)
      return [["1"]]
    case "file":
      return [[scope.file(part.script)]]
    case "output":
      return textValue(...scope.output(part.script).map((text) => text.replace(/\n+$/, "")))
    case "variable":
      return applyQuoting(part, applyOperator(part, variableValue(part, scope), scope))
  }
}

/** A quoted variable is one field, set or not; only `@` gives separate fields. */
function applyQuoting({ quoted, name, index }: Variable, value: Value): Value {
  if (!quoted || index === "@" || name === "@") return value
  return value.map((fields) => [fields.join(" ")])
}

function variableValue(variable: Variable, scope: Scope): Value {
  const { name, index, indirect } = variable
  const value = scope.lookup(name)
  if (indirect) return union(...value.map((fields) => namedValue(fields, scope)))
  if (index === "@" || index === "*" || name === "@" || name === "*") return value
  if (index === null) return value.map((fields) => fields.slice(0, 1))
  if (/^\d{1,6}$/.test(index)) return value.map((fields) => fields.slice(Number(index), Number(index) + 1))
  // Any of them.
  return bounded(value.flatMap((fields) => fields.map((field) => [field])))
}

/** An indirect expansion. Of an unset variable it fails, or is nothing in a list for that variable. */
function namedValue(names: Fields, scope: Scope): Value {
  if (names.length === 0) return [[]]
  const name = names.join(" ")
  return /^\w+$/.test(name) ? scope.lookup(name) : unknownValue
}

/** The values of `${NAME-WORD}`, `${NAME=WORD}` or `${NAME+WORD}` beside its operand, and whether it may be the operand. */
function choice({ operator }: Variable, value: Value): { readonly values: Value; readonly takesOperand: boolean } {
  const colon = operator.startsWith(":")
  const isMissing = (fields: Fields): boolean => fields.length === 0 || (colon && fields.join("") === "")
  const missing = value.filter((fields) => isMissing(fields) || (colon && fields.join("") === unknown))
  const present = value.filter((fields) => !isMissing(fields))
  return operator.endsWith("+")
    ? { values: missing.length === 0 ? [] : [[]], takesOperand: present.length > 0 }
    : { values: present, takesOperand: missing.length > 0 && !operator.endsWith("?") }
}

function applyOperator(variable: Variable, value: Value, scope: Scope): Value {
  const { name, operator, operand } = variable
  switch (operator.replace(/^:(?=[-=?+])/, "")) {
    case "":
      return value
    case "-":
    case "+":
    case "?":
    case "=": {
      const { values, takesOperand } = choice(variable, value)
      const result = takesOperand ? union(values, textValue(...defaultTexts(variable, scope))) : values
      if (operator.endsWith("=")) scope.assign(name, result)
      return result
    }
    case "#":
    case "##":
    case "%":
    case "%%": {
      // Once: with each value again, nested operands would take exponential time.
      const patterns = operandTexts(operand, scope)
      return bounded(value.map((fields) => fields.map((field) => trimmed(field, operator, patterns))))
    }
    default:
      // Replacement, substrings and case changes are not evaluated, but commands in them are.
      operandTexts(operand, scope)
      return value.map((fields) => fields.map(() => unknown))
  }
}

/** Arithmetic of plain numbers, which cannot fail. */
const plainArithmetic = /^\s*\d*\s*(?:[-+*]\s*\d+\s*)*$/
/** Offset and length of a substring that cannot fail. */
const plainRange = /^\s*-?\d+\s*(?::\s*\d+\s*)?$/

/**
 * Whether bash may refuse one of these expansions: an indirect one without a valid name, arithmetic that is invalid or divides by
 * zero, a negative length. (A missing value with `:?` ends the shell instead.)
 */
export function mayFail(parts: readonly Part[], scope: Scope): boolean {
  return parts.some((part) => {
    if (part.type === "number") return !isPlain(part.inside, plainArithmetic)
    if (part.type !== "variable") return false
    const { name, index, indirect, operator, operand } = part
    if (indirect && scope.lookup(name).some(([field = ""]) => !/^[A-Za-z_]\w*$/.test(field))) return true
    if (index !== null && /[/%]/.test(index)) return true
    if (operator === ":") return !isPlain(operand, plainRange)
    return mayFail(operand, scope)
  })
}

function isPlain(parts: readonly Part[], pattern: RegExp): boolean {
  return (
    parts.every((part) => part.type === "text") &&
    pattern.test(parts.map((part) => (part.type === "text" ? part.text : "")).join(""))
  )
}

/** Within quotes `~` is itself here in bash; other shells may take it for the home. */
function defaultTexts({ operand }: Variable, scope: Scope): readonly string[] {
  const [first] = operand
  if (first?.type !== "text" || !first.quoted) return operandTexts(operand, scope)
  const texts = joinedTexts(alternativesOf(operand, scope))
  const [tilde, user = ""] = /^~([^/]*)(?=\/|$)/.exec(first.text) ?? []
  if (tilde === undefined) return texts
  const homes = scope.homeOf(user)
  return texts.flatMap((text) => [text, ...homes.map((home) => home + text.slice(tilde.length))])
}

/** In a pattern `~` means the home even within quotes. */
function operandTexts(operand: readonly Part[], scope: Scope): readonly string[] {
  const [first, ...rest] = operand
  const open = first?.type === "text" ? [{ ...first, quoted: false }, ...rest] : operand
  return joinedTexts(alternativesOf(withTilde(open, scope, false), scope))
}

const character: Wild = { one: () => true }
const wildcards: Readonly<Record<string, readonly Wild[]>> = { "*": [{ many: [character] }], "?": [character] }

/** Characters; matching every prefix of a longer text takes too long. */
const maxTrimmed = 300

/** `${X%/*}` and similar forms, if both are known. */
function trimmed(text: string, operator: string, [pattern = unknown, ...others]: readonly string[]): string {
  if (others.length > 0 || !isKnown(text + pattern) || text.length + pattern.length > maxTrimmed) return unknown
  const atEnd = operator.startsWith("%")
  const matches = wildTest(
    (pattern.match(/[*?]|[^*?]+/g) ?? []).flatMap((piece) => wildcards[piece] ?? literalWild(piece)),
  )
  const lengths = Array.from({ length: text.length + 1 }, (_, at) => at)
  for (const length of operator.length === 1 ? lengths : lengths.toReversed()) {
    const piece = atEnd ? text.slice(text.length - length) : text.slice(0, length)
    if (matches(piece)) return atEnd ? text.slice(0, text.length - length) : text.slice(length)
  }
  return text
}
