import { maxWrappedDepth, parseJson } from "@gong/spec"
import { finalArguments } from "../protocol/reply/partial-json.ts"

/** A JSON object or array in a text, and the offset after it. */
export interface ValueAt {
  readonly value: unknown
  readonly end: number
}

/**
 * The complete JSON object or array that begins at `at`; null for none, or for one with invalid JSON. An object is repaired as
 * arguments of a call are: models write raw newlines in strings.
 */
export function jsonValueAt(text: string, at: number): ValueAt | null {
  const end = endOfValue(text, at)
  if (end === null) return null
  const json = text.slice(at, end)
  const value = parseJson(json)
  if (value !== undefined) return { value, end }
  const repaired = text[at] === "{" ? finalArguments(json) : null
  return repaired?.ok ? { value: repaired.value, end } : null
}

/** Matches brackets only; brackets inside strings do not count. */
function endOfValue(text: string, at: number): number | null {
  if (text[at] !== "{" && text[at] !== "[") return null
  let depth = 0
  let quoted = false
  for (let i = at; i < text.length; i++) {
    const char = text[i]
    if (quoted) {
      if (char === "\\") i++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === "{" || char === "[") depth++
    else if (char === "}" || char === "]") depth--
    if (depth > maxWrappedDepth) return null
    if (depth === 0) return i + 1
  }
  return null
}
