import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  promises,
  read,
  readSync,
  realpathSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from "node:fs"
import { homedir, tmpdir } from "node:os"
import { basename, dirname } from "node:path"
import type { Host, HostStat, ReadOptions } from "@gong/spec"
import { codeOf } from "../result.ts"
import { execLocally } from "./processes/exec.ts"
import { changedMeanwhile, holdFolder, makeFolder } from "./files/folder.ts"
import { createOffspring } from "./processes/process-tree.ts"
import { findProgram, ownPath } from "./processes/program-path.ts"
import { replaceFileLocally } from "./files/replace-file.ts"
import { findShell } from "./processes/shell.ts"
import { hostDirent, hostStat } from "./files/stat.ts"

export interface LocalHostOptions {
  readonly cwd: string
  /** Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly home?: string
  /** Whose programs are never started unless a command names them. Default: the folder `cwd`. */
  readonly project?: string
  /** Full path of the shell for commands given as text. Default: the first bash found; never sh. */
  readonly shell?: string
}

/** Files of /proc say that they are empty and are not; this much of one is read. */
const UNSIZED_MAX_BYTES = 64 * 1024

/**
 * This machine. Blocking calls behind the asynchronous port: one takes a few microseconds, and handing it to Node's
 * thread pool and back costs ten to fifty times that (docs/decisions/blocking-local-host.md).
 */
export function createLocalHost(options: LocalHostOptions): Host {
  const env = definedOnly(options.env ?? process.env)
  const home = options.home ?? env["HOME"] ?? homedir()
  const project = options.project ?? options.cwd
  const own = (path = "") => ownPath(path, project)
  const which: Host["which"] = async (name, wanted) =>
    findProgram(name, wanted?.own === true ? own(env["PATH"]) : (env["PATH"] ?? ""))
  const offspring = createOffspring(own(env["PATH"]))
  let shell = options.shell === undefined ? undefined : Promise.resolve(options.shell)
  return {
    id: "local",
    cwd: options.cwd,
    home,
    tmp: tmpdir(),
    env,
    stat,
    realpath: async (path) => realpathSync.native(path),
    readRange,
    access: async (path, mode) => accessSync(path, mode === "read" ? constants.R_OK : constants.W_OK),
    // The one call whose length nobody knows beforehand: a folder may hold a million names.
    readdir: async (path) => (await promises.readdir(path, { withFileTypes: true })).map(hostDirent),
    mkdir: async (path) => makeFolder(path).close(),
    replaceFile: replaceFileLocally,
    remove,
    exec: async (command, execOptions) => {
      shell ??= findShell({ which })
      const given = { env, ...execOptions }
      if (typeof command === "string") return execLocally([await shell, "-c", command], given, offspring)
      const [program = "", ...args] = command
      return execLocally([findProgram(program, own(given.env["PATH"])) ?? missing(program), ...args], given, offspring)
    },
    endJobs: (keep = []) => offspring.endAll(keep),
    which,
  }
}

async function stat(path: string, options: { readonly link?: boolean } = {}): Promise<HostStat | null> {
  try {
    const quiet = { throwIfNoEntry: false } as const
    const found = options.link ? lstatSync(path, quiet) : statSync(path, quiet)
    return found === undefined ? null : hostStat(found)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Bytes up to which waiting for the disk is shorter than the way through the thread pool. */
const BLOCKING_MAX_BYTES = 256 * 1024

async function readRange(path: string, from: number, to?: number, options: ReadOptions = {}): Promise<Uint8Array> {
  const { into, real = false } = options
  const file = real ? openReal(path) : openToRead(path, 0)
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw notRegular(path)
    const end = found.size === 0 ? from + UNSIZED_MAX_BYTES : found.size
    const wanted = Math.max(0, Math.min(to ?? Infinity, end) - from)
    const bytes = into !== undefined && into.length >= wanted ? into : Buffer.allocUnsafe(wanted)
    const readSome = wanted > BLOCKING_MAX_BYTES ? readAside : readSync
    let filled = 0
    while (filled < wanted) {
      const read = await readSome(file, bytes, filled, wanted - filled, from + filled)
      if (read === 0) break
      filled += read
    }
    return bytes.subarray(0, filled)
  } finally {
    closeSync(file)
  }
}

/** In the thread pool: who reads much of a big file can be stopped meanwhile. */
function readAside(file: number, bytes: Uint8Array, at: number, length: number, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(file, bytes, at, length, from, (error, read) => (error ? reject(error) : resolve(read)))
  })
}

/** Opened without waiting, so that a FIFO put there since the last look cannot hold the call. */
function openToRead(path: string, more: number): number {
  return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | more)
}

function openReal(path: string): number {
  const folder = holdFolder(dirname(path))
  try {
    const file = openToRead(folder.at(basename(path)), constants.O_NOFOLLOW)
    folder.check()
    return file
  } catch (error) {
    throw codeOf(error) === "ELOOP" ? changedMeanwhile(path) : error
  } finally {
    folder.close()
  }
}

async function remove(path: string): Promise<void> {
  const folder = holdFolder(dirname(path))
  try {
    const place = folder.at(basename(path))
    if (lstatSync(place).isDirectory()) rmdirSync(place)
    else unlinkSync(place)
  } finally {
    folder.close()
  }
}

/** Without a folder in its name a program would be looked for in the whole PATH again. */
function missing(program: string): string {
  return program.includes("/") ? program : `/nonexistent/${program}`
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const out: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value !== undefined) out[name] = value
  return out
}

function notRegular(path: string): Error {
  return Object.assign(new Error(`${path} is not a regular file`), { code: "EINVAL" })
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null
  return code === "ENOENT" || code === "ENOTDIR"
}
