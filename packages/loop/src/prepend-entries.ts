import type { NewEntry, Step } from "@gong/spec"

/**
 * Yields these entries before the steps, in one write with the first step if it has entries: typically a reply and the starts
 * of its calls. An early return also returns `steps`.
 */
export async function* prependEntries<T>(
  entries: readonly NewEntry[],
  steps: AsyncGenerator<Step, T, undefined>,
): AsyncGenerator<Step, T, undefined> {
  try {
    const first = await steps.next()
    if (first.done || !("entries" in first.value)) yield { entries }
    if (first.done) return first.value
    yield "entries" in first.value ? { entries: [...entries, ...first.value.entries] } : first.value
    for (;;) {
      const { value, done } = await steps.next()
      if (done) return value
      yield value
    }
  } finally {
    await steps.return(undefined as never)
  }
}
