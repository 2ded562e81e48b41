import { assignment, fieldsOf, type Scope, unsplitTexts } from "./expand.ts"
import { forked, lookup, setVariable, type State } from "./state.ts"
import type { Part, Word } from "./syntax.ts"
import { bounded, combinations, union, textValue, unknownValue, type Value } from "./value.ts"

/** An assignment with its expanded value. */
interface Assignment {
  readonly name: string
  readonly value: Value
  /** Of a list, or of one element. */
  readonly kind: "text" | "list" | "element"
  readonly appends: boolean
}

/** `NAME=...`, `NAME+=...`, `NAME[0]=...`, `NAME=(...)`. */
export function assign(word: Word, state: State, scope: Scope): void {
  apply(assignmentOf(word, scope, false), state)
}

/**
 * The assignments of `export`, `declare` and similar commands: bash expands all texts before it assigns the first, and lists one
 * after the other. `isNameref`: the values are names of other variables.
 */
export function assignAll(words: readonly Word[], state: State, scope: Scope, isNameref: boolean): void {
  const texts = words.map((word) => (word.list === undefined ? assignmentOf(word, scope, isNameref) : null))
  for (const [at, word] of words.entries()) apply(texts[at] ?? assignmentOf(word, scope, isNameref), state)
}

function assignmentOf(word: Word, scope: Scope, isNameref: boolean): Assignment | null {
  const [first] = word.parts
  const [start, name = "", index, appends] = assignment.exec(first?.type === "text" ? first.text : "") ?? []
  if (start === undefined || first?.type !== "text") return null
  const value: Value = isNameref ? unknownValue : valueOf(word, start.length, scope)
  const kind = index !== undefined ? "element" : word.list === undefined ? "text" : "list"
  return { name, value, kind, appends: appends === "+" }
}

function apply(given: Assignment | null, state: State): void {
  if (given === null) return
  const { name, value, kind, appends } = given
  const before = lookup(state, name)
  if (kind !== "text") state.arrays = new Set([...state.arrays, name])
  if (state.readonlyNames.has(name)) {
    state.abandoned.push(forked(state))
    state.vars.set(name, union(before, value))
  } else if (kind === "element") state.vars.set(name, union(before, appended(before, value), value))
  else if (kind === "list") state.vars.set(name, appends ? appended(before, value) : value)
  else if (appends) state.vars.set(name, extended(before, value))
  else setVariable(state, name, value)
}

function valueOf({ parts, list }: Word, length: number, scope: Scope): Value {
  if (list !== undefined) {
    const alternatives = combinations(list.map((word) => fieldsOf(withoutSubscript(word), scope)))
    const values = alternatives === null ? unknownValue : bounded(alternatives.map((alternative) => alternative.flat()))
    // Elements with explicit subscripts may be at any position.
    return bounded(
      list.some(hasSubscript)
        ? values.flatMap((fields) => [fields, ...fields.map((one) => fields.map(() => one))])
        : values,
    )
  }
  const rest = parts.map((part, at): Part =>
    at === 0 && part.type === "text" ? { ...part, text: part.text.slice(length) } : part,
  )
  return textValue(...unsplitTexts(rest, scope))
}

const subscript = /^\[[^\]]*\]=/

/** `[1]=a` in a list. */
function hasSubscript({ parts: [first] }: Word): boolean {
  return first?.type === "text" && !first.quoted && subscript.test(first.text)
}

function withoutSubscript(word: Word): Word {
  const [first, ...rest] = word.parts
  if (first?.type !== "text" || !hasSubscript(word)) return word
  return { ...word, parts: [{ ...first, text: first.text.replace(subscript, "") }, ...rest] }
}

/** `NAME+=text`: of an array the first element. */
function extended(before: Value, more: Value): Value {
  return bounded(before.flatMap(([old = "", ...others]) => more.map((texts) => [old + texts.join(" "), ...others])))
}

function appended(before: Value, more: Value): Value {
  return bounded(before.flatMap((fields) => more.map((others) => [...fields, ...others])))
}
