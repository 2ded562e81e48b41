/** A token count from a server, at least 0; null if it is not a finite number. */
export function tokenCount(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? Math.max(0, value) : null
}
