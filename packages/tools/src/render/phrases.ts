import { phrase, type Span } from "@gong/spec"
import { phraseSpan } from "./lines.ts"

/** How many there are of something; `{0}` stands for the number. */
export function counted(number: number, one: string, many: string): Span {
  return phraseSpan(phrase(number === 1 ? one : many, number))
}

export function lineCount(number: number): Span {
  return counted(number, "{0} line", "{0} lines")
}

/** A number of a result's details; 0 where there is none. */
export function numberIn(details: Readonly<Record<string, unknown>> | null, key: string): number {
  return Number(details?.[key] ?? 0)
}
