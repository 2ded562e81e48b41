/** Checks an internal invariant. A violation throws and ends the run with kind `internal`; expected errors are values. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`Internal error in Gong: ${what}`)
}

/** Exhaustiveness check of a union: the compiler rejects an unhandled member. */
export function never(value: never): never {
  throw new Error(`Internal error in Gong: unexpected ${JSON.stringify(value)}`)
}
