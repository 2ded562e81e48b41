/** The result, or null if the work throws. */
export function attempted<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
