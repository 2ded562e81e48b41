/** A broken promise inside Gong itself: throws, and the run ends with kind `internal`. Expected errors are values instead. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`Broken promise inside Gong: ${what}`)
}

/** Closes a union: the compiler refuses to build when a member is not handled. */
export function never(value: never): never {
  throw new Error(`Broken promise inside Gong: unexpected ${JSON.stringify(value)}`)
}
