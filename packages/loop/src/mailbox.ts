/** Passes items from running tools to the generator that yields them, in order of arrival. */
export interface Mailbox<T> {
  size(): number
  put(item: T): void
  /** The next item; waits if there is none. */
  next(): Promise<T>
}

export function mailbox<T>(): Mailbox<T> {
  const items: T[] = []
  let waiting: ((item: T) => void) | null = null
  return {
    size: () => items.length,
    put(item) {
      if (!waiting) {
        items.push(item)
        return
      }
      const hand = waiting
      waiting = null
      hand(item)
    },
    next() {
      const [item] = items.splice(0, 1)
      if (item !== undefined) return Promise.resolve(item)
      return new Promise((resolve) => {
        waiting = resolve
      })
    },
  }
}
