import { isDeepStrictEqual } from "node:util"

/** A promise of Gong that did not hold in a simulated world. */
export class Violation extends Error {}

export function holds(condition: boolean, what: () => string): asserts condition {
  if (!condition) throw new Violation(what())
}

export function same(actual: unknown, expected: unknown, what: string): void {
  holds(isDeepStrictEqual(actual, expected), () => `${what}: ${short(actual)} is not ${short(expected)}`)
}

/** Tools and listeners may not throw past the code that they observe: violations are raised by the driver of the world. */
export function witness(world: { readonly witnessed: string[] }, condition: boolean, what: () => string): void {
  if (!condition) world.witnessed.push(what())
}

function short(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => (part instanceof Map ? [...part] : part)) ?? String(value)
  return text.length > 600 ? `${text.slice(0, 600)}...` : text
}
