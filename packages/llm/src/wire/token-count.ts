/** A count of tokens as a server gives it: below zero it is none; null when there is no number. */
export function tokenCount(value: unknown): number | null {
  return typeof value === "number" ? Math.max(0, value) : null
}
