import { englishOf, phrase, type Phrase } from "./phrase.ts"

/**
 * Levels of arrays and objects inside one another in JSON from outside: a model's arguments, a file, another program's line.
 * No honest text has as many, and what walks a value by recursion would end the program some thousands of levels deeper.
 */
export const maxJsonDepth = 500

/** The same where Gong or a provider has put its own fields around such a value: lines of a tape, events of a stream. */
export const maxWrappedDepth = maxJsonDepth + 20

export type JsonRead =
  | { readonly ok: true; readonly value: unknown }
  /** `problem`: half a sentence. */
  | { readonly ok: false; readonly problem: string; readonly tooDeep: boolean }

/** Reads JSON of at most `levels` levels. Never throws. */
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

/** The same, where nothing is said of what cannot be read: undefined then. */
export function parseJson(text: string, levels = maxJsonDepth): unknown {
  const read = readJson(text, levels)
  return read.ok ? read.value : undefined
}

/** Half a sentence. */
export function tooDeep(levels = maxJsonDepth): Phrase {
  return phrase`nested more than ${levels} levels deep`
}

/** Whether a value has more levels of arrays and objects than these; a plain value has none. Looks no deeper itself. */
export function isDeeper(value: unknown, levels = maxJsonDepth): boolean {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1))
  // No inherited key can be here, and a list of the values would be made for nothing.
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}

/**
 * The offset of the first bracket that opens a level too many, in JSON with comments; null where there is none. For parsers
 * that are recursive themselves.
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

/** Texts and line comments end with their line at the latest, as they do for a tolerant parser. */
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
