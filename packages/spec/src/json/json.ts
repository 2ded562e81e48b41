import { englishOf, phrase, type Phrase } from "../text/phrase.ts"

/**
 * Maximum nesting of external JSON: model arguments, files, lines of other programs. Real data stays far below it, and
 * recursive code overflows the stack some thousands of levels deeper.
 */
export const maxJsonDepth = 500

/** The same with room for the fields that Gong or a provider adds around a value: tape lines, stream events. */
export const maxWrappedDepth = maxJsonDepth + 20

export type JsonRead =
  | { readonly ok: true; readonly value: unknown }
  /** `problem`: a sentence fragment. */
  | { readonly ok: false; readonly problem: string; readonly tooDeep: boolean }

/** Parses JSON of at most `levels` levels. Never throws. */
export function readJson(text: string, levels = maxJsonDepth): JsonRead {
  try {
    const value: unknown = JSON.parse(text)
    if (text.length > 2 * levels && isDeeper(value, levels))
      return { ok: false, problem: englishOf(tooDeep(levels)), tooDeep: true }
    return { ok: true, value }
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error), tooDeep: false }
  }
}

/** The same without an explanation: undefined for invalid JSON. */
export function parseJson(text: string, levels = maxJsonDepth): unknown {
  const read = readJson(text, levels)
  return read.ok ? read.value : undefined
}

/** A sentence fragment. */
export function tooDeep(levels = maxJsonDepth): Phrase {
  return phrase`nested more than ${levels} levels deep`
}

/** Whether a value nests arrays and objects deeper than `levels`; a scalar has no levels. Itself bounded by `levels`. */
export function isDeeper(value: unknown, levels = maxJsonDepth): boolean {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1))
  // A parsed object has no inherited keys, and Object.values would allocate an array.
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}

/**
 * Offset of the first bracket that exceeds the nesting limit, in JSON with comments; null if none does. For parsers that
 * recurse.
 */
export function tooDeepAt(text: string, levels = maxJsonDepth): number | null {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = endOfText(text, at)
    else if (char === "/") at = endOfComment(text, at)
    else if (char === "]" || char === "}") depth = Math.max(0, depth - 1)
    else if ((char === "[" || char === "{") && ++depth > levels) return at
  }
  return null
}

/** Strings and line comments end at the end of their line at the latest, as in a tolerant parser. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]
    if (char === "\\") at++
    else if (char === '"' || char === "\n") return at
  }
  return text.length
}

function endOfComment(text: string, start: number): number {
  const kind = text[start + 1]
  if (kind !== "/" && kind !== "*") return start
  const end = kind === "/" ? text.indexOf("\n", start) : text.indexOf("*/", start + 2)
  return end < 0 ? text.length : end + (kind === "/" ? 0 : 1)
}
