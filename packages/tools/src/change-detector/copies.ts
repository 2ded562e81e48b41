import type { Artifacts, Clock, HostStat } from "@gong/spec"
import { blobs, type GitContext } from "./tracked.ts"

/** Where the last known content of a file is stored: a git blob, an artifact, or nowhere. */
export type Copy = { readonly blob: string } | { readonly kept: string } | null

/** A file as of the last scan. */
export interface Known {
  readonly stat: HostStat
  readonly copy: Copy
}

export interface Copies {
  /** Stores the current content if it fits the limits. */
  keep(path: string, stat: HostStat): Promise<Known>
  /** Contents by path. Paths without a copy are left out. */
  load(files: readonly (readonly [string, Known])[]): Promise<ReadonlyMap<string, Uint8Array>>
}

export interface CopiesOptions extends GitContext {
  readonly artifacts: Artifacts
  /** Bytes of one file, and of all files in a session. */
  readonly maxFileBytes: number
  readonly maxBytes: number
}

/** Milliseconds for reading blobs of changed files. Only the next change waits for it. */
const READING_MAX_TIME = 2_000

export function createCopies(options: CopiesOptions): Copies {
  const { host, artifacts, maxFileBytes, maxBytes } = options
  let spent = 0
  return {
    async keep(path, stat) {
      if (stat.size > maxFileBytes || spent + stat.size > maxBytes) return { stat, copy: null }
      try {
        const bytes = await host.readRange(path, 0, stat.size, { real: true })
        spent += bytes.length
        // A concurrent change is found by the next scan.
        return { stat, copy: bytes.length === stat.size ? { kept: await artifacts.put(bytes) } : null }
      } catch {
        return { stat, copy: null }
      }
    },
    async load(files) {
      const ids = files.flatMap(([, { copy }]) => (copy !== null && "blob" in copy ? [copy.blob] : []))
      const fromGit =
        ids.length === 0
          ? new Map<string, Uint8Array>()
          : await blobs({ ...options, maxTime: READING_MAX_TIME }, ids, maxBytes)
      const loaded = new Map<string, Uint8Array>()
      for (const [path, { stat, copy }] of files) {
        if (copy === null) continue
        const bytes = "blob" in copy ? fromGit.get(copy.blob) : await artifacts.get(copy.kept)
        // Git may convert line endings on checkout, so the blob differs from the file.
        if (bytes && bytes.length === stat.size) loaded.set(path, bytes)
      }
      return loaded
    },
  }
}

/** Stores files that git does not hold, newest first, until the time is up. The rest has no copy. */
export async function firstCopies(
  files: ReadonlyMap<string, HostStat>,
  clean: ReadonlyMap<string, string>,
  copies: Copies,
  { clock, maxTime }: { readonly clock: Clock; readonly maxTime: number },
): Promise<Map<string, Known>> {
  const until = clock.now() + maxTime
  const known = new Map<string, Known>()
  const others: [string, HostStat][] = []
  for (const [path, stat] of files) {
    const blob = clean.get(path)
    if (blob === undefined) others.push([path, stat])
    else known.set(path, { stat, copy: { blob } })
  }
  others.sort(([, a], [, b]) => b.mtimeMs - a.mtimeMs)
  for (const [path, stat] of others)
    known.set(path, clock.now() > until ? { stat, copy: null } : await copies.keep(path, stat))
  return known
}
