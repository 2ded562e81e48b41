/** Runs functions one after another. `waiting` gets the names of the queued ones after each change. */
export function inOrder(waiting: (names: readonly string[]) => void) {
  let last: Promise<unknown> | null = null
  let names: readonly string[] = []
  const show = (next: readonly string[]): void => {
    if (next.length !== names.length) waiting(next)
    names = next
  }
  return async function run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = last
    if (before !== null) show([...names, name])
    const done = (before ?? Promise.resolve()).then(() => {
      if (before !== null) show(names.slice(1))
      return work()
    })
    const settled = done.then(ignored, ignored)
    last = settled
    try {
      return await done
    } finally {
      if (last === settled) last = null
    }
  }
}

function ignored(): void {}
