const tails = new Map<string, Promise<unknown>>()

/** Runs changes of one file one after another, in order. Other files do not wait. */
export async function withFileLock<T>(hostId: string, path: string, work: () => Promise<T>): Promise<T> {
  const key = `${hostId}\0${path}`
  const before = tails.get(key) ?? Promise.resolve()
  const done = before.then(work, work)
  const tail = done.catch(() => {})
  tails.set(key, tail)
  try {
    return await done
  } finally {
    if (tails.get(key) === tail) tails.delete(key)
  }
}
