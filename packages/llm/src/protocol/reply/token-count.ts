/** A count of tokens as a server gives it: below zero it is none; null when there is no number that can be counted with. */
export function tokenCount(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? Math.max(0, value) : null
}
