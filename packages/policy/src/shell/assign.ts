import { assignment, fieldsOf, type Scope, unsplitTexts } from "./expand.ts"
import { forked, lookup, setVariable, type State } from "./state.ts"
import type { Part, Word } from "./syntax.ts"
import { bounded, combinations, union, textValue, unknown, unknownValue, type Value } from "./value.ts"

/** `NAME=...`, `NAME+=...`, `NAME[0]=...`, `NAME=(...)`. `isNameref`: the value is the name of another variable. */
export function assign(word: Word, state: State, scope: Scope, isNameref = false): void {
  const [first] = word.parts
  const [start, name = "", index, appends] = assignment.exec(first?.type === "text" ? first.text : "") ?? []
  if (start === undefined || first?.type !== "text") return
  const value: Value = isNameref ? [[unknown]] : valueOf(word, start.length, scope)
  const before = lookup(state, name)
  if (word.list !== undefined || index !== undefined) state.arrays = new Set([...state.arrays, name])
  if (state.readonlyNames.has(name)) {
    state.abandoned.push(forked(state))
    state.vars.set(name, union(before, value))
  } else if (index !== undefined) state.vars.set(name, union(before, appended(before, value), value))
  else if (word.list !== undefined) state.vars.set(name, appends === "+" ? appended(before, value) : value)
  else if (appends !== "+") setVariable(state, name, value)
  else state.vars.set(name, extended(before, value))
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
