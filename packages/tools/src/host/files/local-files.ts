import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read,
  readdir,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
  type Stats,
} from "node:fs"
import {
  errorCode,
  type HostAnswer,
  type HostDirent,
  type HostFile,
  type HostFiles,
  type ReadOptions,
} from "@gong/spec"
import { notRegular, refused } from "../batch-verbs.ts"
import { hostDirent, hostStat } from "./stat.ts"

/** Files of /proc report size 0. At most this much of them is read. */
const UNSIZED_MAX_BYTES = 64 * 1024
/** Up to this size a blocking read is faster than the thread pool. */
const BLOCKING_MAX_BYTES = 256 * 1024
const modes = { read: constants.R_OK, write: constants.W_OK, enter: constants.X_OK }

/**
 * Reads this machine. Blocking calls behind the asynchronous port: one takes microseconds, and the thread pool would
 * cost ten to fifty times that (docs/decisions/blocking-local-host.md).
 */
export const localFiles: HostFiles = {
  async stat(path, options = {}) {
    const found = statOf(path, options.link ? lstatSync : statSync)
    return found === null ? null : hostStat(found)
  },
  realpath: async (path) => realpathSync.native(path),
  readRange,
  access: async (path, mode) => accessSync(path, modes[mode]),
  readdir: listAside,
  look: async (paths) => answers(paths, (path, stat) => ({ stat: hostStat(stat), real: realpathSync.native(path) })),
  readFiles: async (paths, { maxBytes }) => answers(paths, (path) => readFile(path, maxBytes)),
  list: async (folders) => answers(folders, (path) => readdirSync(path, { withFileTypes: true }).map(hostDirent)),
}

/** Most paths of a batch do not exist, and a thrown error costs ten times as much as the stat. */
function answers<T>(paths: readonly string[], ask: (path: string, stat: Stats) => T): readonly HostAnswer<T>[] {
  return paths.map((path) => {
    try {
      const stat = statOf(path, statSync)
      return stat === null ? ({ ok: false, code: "ENOENT" } as const) : ({ ok: true, value: ask(path, stat) } as const)
    } catch (error) {
      return refused(error)
    }
  })
}

function statOf(path: string, look: typeof statSync): Stats | null {
  try {
    return look(path, { throwIfNoEntry: false }) ?? null
  } catch (error) {
    const code = errorCode(error)
    if (code === "ENOENT" || code === "ENOTDIR") return null
    throw error
  }
}

/** In the thread pool, since a folder may contain a million names. */
function listAside(path: string): Promise<readonly HostDirent[]> {
  return new Promise((resolve, reject) => {
    readdir(path, { withFileTypes: true }, (error, entries) =>
      error ? reject(error) : resolve(entries.map(hostDirent)),
    )
  })
}

function readFile(path: string, maxBytes: number): HostFile {
  const file = openToRead(path)
  try {
    const { stat, end } = regular(file, path, 0)
    const bytes = Buffer.allocUnsafe(Math.min(end, maxBytes))
    let filled = 0
    for (let count = 1; count > 0 && filled < bytes.length; filled += count)
      count = readSync(file, bytes, filled, bytes.length - filled, filled)
    return { bytes: bytes.subarray(0, filled), stat: hostStat(stat) }
  } finally {
    closeSync(file)
  }
}

async function readRange(path: string, from: number, to?: number, options: ReadOptions = {}): Promise<Uint8Array> {
  const { into, real = false } = options
  const file = real ? (await import("./open-real.ts")).openReal(path) : openToRead(path)
  try {
    const { end } = regular(file, path, from)
    const wanted = Math.max(0, Math.min(to ?? Infinity, end) - from)
    const bytes = into !== undefined && into.length >= wanted ? into : Buffer.allocUnsafe(wanted)
    const readSome = wanted > BLOCKING_MAX_BYTES ? readInThreadPool : readSync
    let filled = 0
    while (filled < wanted) {
      const count = await readSome(file, bytes, filled, wanted - filled, from + filled)
      if (count === 0) break
      filled += count
    }
    return bytes.subarray(0, filled)
  } finally {
    closeSync(file)
  }
}

/** Non-blocking, so that a FIFO created since the check cannot block the call. */
function openToRead(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
}

/** `end`: the offset where a read from `from` ends at the latest. */
function regular(file: number, path: string, from: number): { readonly stat: Stats; readonly end: number } {
  const stat = fstatSync(file)
  if (!stat.isFile()) throw notRegular(path)
  return { stat, end: stat.size === 0 ? from + UNSIZED_MAX_BYTES : stat.size }
}

/** In the thread pool, so that reading a large file can be aborted. */
function readInThreadPool(file: number, bytes: Uint8Array, at: number, length: number, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(file, bytes, at, length, from, (error, count) => (error ? reject(error) : resolve(count)))
  })
}
