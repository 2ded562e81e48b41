import { errorCode, type HostAnswer, type HostFiles, type HostReads } from "@gong/spec"

type BatchVerbs = Pick<HostFiles, "look" | "readFiles" | "list">

/** Batch verbs for a host without faster ones: all paths of a batch are requested concurrently. */
export function batchVerbs({ stat, realpath, readRange, readdir }: HostReads): BatchVerbs {
  const found = async (path: string) => (await stat(path)) ?? missing(path)
  return {
    look: (paths) => answers(paths, async (path) => ({ stat: await found(path), real: await realpath(path) })),
    readFiles: (paths, { maxBytes }) =>
      answers(paths, async (path) => {
        const before = await found(path)
        if (before.kind !== "file") throw notRegular(path)
        return { stat: before, bytes: await readRange(path, 0, maxBytes) }
      }),
    list: (folders) => answers(folders, readdir),
  }
}

function answers<T>(paths: readonly string[], ask: (path: string) => Promise<T>): Promise<readonly HostAnswer<T>[]> {
  return Promise.all(
    paths.map(async (path) => {
      try {
        return { ok: true, value: await ask(path) } as const
      } catch (error) {
        return refused(error)
      }
    }),
  )
}

/** The error code of the host as a value. Any other error is thrown. */
export function refused(error: unknown): { readonly ok: false; readonly code: string } {
  const code = errorCode(error)
  if (code === null) throw error
  return { ok: false, code }
}

function missing(path: string): never {
  throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" })
}

export function notRegular(path: string): Error {
  return Object.assign(new Error(`${path} is not a regular file`), { code: "EINVAL" })
}
