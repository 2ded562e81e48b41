import { phrase, type Span } from "@gong/spec"
import { phraseSpan } from "./lines.ts"

/** A number of items in singular or plural; `{0}` is the number. */
export function counted(number: number, one: string, many: string): Span {
  return phraseSpan(phrase(number === 1 ? one : many, number))
}

export function lineCount(number: number): Span {
  return counted(number, "{0} line", "{0} lines")
}

/** A number in the details of a result; 0 if absent. */
export function numberIn(details: Readonly<Record<string, unknown>> | null, key: string): number {
  return Number(details?.[key] ?? 0)
}
