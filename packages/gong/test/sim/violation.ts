import { isDeepStrictEqual } from "node:util"

/** A promise of Gong that did not hold in a simulated world. */
export class Violation extends Error {}

export function holds(condition: boolean, what: () => string): asserts condition {
  if (!condition) throw new Violation(what())
}

export function same(actual: unknown, expected: unknown, what: string): void {
  holds(isDeepStrictEqual(actual, expected), () => `${what}: ${short(actual)} is not ${short(expected)}`)
}

function short(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => (part instanceof Map ? [...part] : part)) ?? String(value)
  return text.length > 600 ? `${text.slice(0, 600)}...` : text
}
