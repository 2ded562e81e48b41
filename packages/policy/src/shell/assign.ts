import { assignment, fieldsOf, type Scope, wholeOf } from "./expand.ts"
import { lookup, type State } from "./state.ts"
import type { Part, Word } from "./syntax.ts"
import { bounded, combined, either, shortened, textValue, unknown, type Value } from "./value.ts"

/** `NAME=...`, `NAME+=...`, `NAME[0]=...`, `NAME=(...)`. `points`: the value is the name of another variable. */
export function assign(word: Word, state: State, scope: Scope, points = false): void {
  const [first] = word.parts
  const [start, name = "", index, adds] = assignment.exec(first?.type === "text" ? first.text : "") ?? []
  if (start === undefined || first?.type !== "text") return
  const value: Value = points ? [[unknown]] : valueOf(word, start.length, scope)
  const before = lookup(state, name)
  if (index !== undefined) state.vars.set(name, either(before, appended(before, value), value))
  else if (adds !== "+") state.vars.set(name, value)
  else if (word.list !== undefined) state.vars.set(name, appended(before, value))
  else
    state.vars.set(
      name,
      textValue(...before.flatMap((old) => value.map((more) => shortened(old.join(" ") + more.join(" "))))),
    )
}

function valueOf({ parts, list }: Word, length: number, scope: Scope): Value {
  if (list !== undefined) {
    const ways = combined(list.map((word) => fieldsOf(withoutPlace(word), scope)))
    if (ways === null) return [[unknown]]
    const values = ways.map((way) => way.flat())
    // Elements with explicit subscripts may be at any position.
    return list.some(isPlaced)
      ? bounded(values.flatMap((fields) => [fields, ...fields.map((one) => fields.map(() => one))]))
      : values
  }
  const rest = parts.map((part, at): Part =>
    at === 0 && part.type === "text" ? { ...part, text: part.text.slice(length) } : part,
  )
  return textValue(...wholeOf(rest, scope))
}

const place = /^\[[^\]]*\]=/

/** `[1]=a` in a list. */
function isPlaced({ parts: [first] }: Word): boolean {
  return first?.type === "text" && !first.quoted && place.test(first.text)
}

function withoutPlace(word: Word): Word {
  const [first, ...rest] = word.parts
  if (first?.type !== "text" || !isPlaced(word)) return word
  return { ...word, parts: [{ ...first, text: first.text.replace(place, "") }, ...rest] }
}

function appended(before: Value, more: Value): Value {
  return before.flatMap((fields) => more.map((others) => [...fields, ...others]))
}
