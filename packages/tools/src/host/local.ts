import * as fs from "node:fs"
import { homedir, tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import type { Host, HostDirent, HostStat } from "@gong/spec"
import { codeOf } from "../result.ts"
import { execLocally } from "./exec.ts"
import { replaceFileLocally } from "./replace-file.ts"

export interface LocalHostOptions {
  readonly cwd: string
  /** Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly home?: string
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
  const which = (name: string) => findProgram(name, env["PATH"] ?? "")
  let shell = options.shell === undefined ? undefined : Promise.resolve(options.shell)
  return {
    id: "local",
    cwd: options.cwd,
    home,
    tmp: tmpdir(),
    env,
    stat,
    realpath: async (path) => fs.realpathSync.native(path),
    readRange,
    access: async (path, mode) => fs.accessSync(path, mode === "read" ? fs.constants.R_OK : fs.constants.W_OK),
    // The one call whose length nobody knows beforehand: a folder may hold a million names.
    readdir: async (path) => (await fs.promises.readdir(path, { withFileTypes: true })).map(direntOf),
    mkdir: async (path) => makeFolder(path),
    replaceFile: replaceFileLocally,
    remove: async (path) => fs.unlinkSync(path),
    exec: async (command, execOptions) => {
      shell ??= findShell(which)
      const argv = typeof command === "string" ? [await shell, "-c", command] : command
      return execLocally(argv, { env, ...execOptions })
    },
    which,
  }
}

async function stat(path: string, options: { readonly link?: boolean } = {}): Promise<HostStat | null> {
  try {
    const found = options.link ? fs.lstatSync(path) : fs.statSync(path)
    return {
      kind: kindOf(found),
      size: found.size,
      mtimeMs: found.mtimeMs,
      mode: found.mode & 0o7777,
      links: found.nlink,
    }
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/**
 * With those above it. Not Node's own recursive form: that one tries for ever where the system refuses a name in a folder
 * that is there, as /proc does.
 */
function makeFolder(path: string): void {
  try {
    makeOne(path)
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error
    makeFolder(dirname(path))
    makeOne(path)
  }
}

function makeOne(path: string): void {
  try {
    fs.mkdirSync(path)
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !fs.statSync(path).isDirectory()) throw error
  }
}

/** Bytes up to which waiting for the disk is shorter than the way through the thread pool. */
const BLOCKING_MAX_BYTES = 256 * 1024

/** Opened without waiting, so that a FIFO put there since the last look cannot hold the call. */
async function readRange(path: string, from: number, to?: number, into?: Uint8Array): Promise<Uint8Array> {
  const file = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
  try {
    const found = fs.fstatSync(file)
    if (!found.isFile()) throw notRegular(path)
    const end = found.size === 0 ? from + UNSIZED_MAX_BYTES : found.size
    const wanted = Math.max(0, Math.min(to ?? Infinity, end) - from)
    const bytes = into !== undefined && into.length >= wanted ? into : Buffer.allocUnsafe(wanted)
    const readSome = wanted > BLOCKING_MAX_BYTES ? readAside : fs.readSync
    let filled = 0
    while (filled < wanted) {
      const read = await readSome(file, bytes, filled, wanted - filled, from + filled)
      if (read === 0) break
      filled += read
    }
    return bytes.subarray(0, filled)
  } finally {
    fs.closeSync(file)
  }
}

/** In the thread pool: who reads much of a big file can be stopped meanwhile. */
function readAside(file: number, bytes: Uint8Array, at: number, length: number, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.read(file, bytes, at, length, from, (error, read) => (error ? reject(error) : resolve(read)))
  })
}

async function findProgram(name: string, path: string): Promise<string | null> {
  const places = name.includes("/") ? [name] : path.split(delimiter).map((folder) => join(folder || ".", name))
  return places.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    fs.accessSync(path, fs.constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function findShell(which: (name: string) => Promise<string | null>): Promise<string> {
  return (await which("/bin/bash")) ?? (await which("bash")) ?? "/bin/bash"
}

interface Kinds {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

function kindOf(found: Kinds): HostStat["kind"] {
  if (found.isFile()) return "file"
  if (found.isDirectory()) return "directory"
  return found.isSymbolicLink() ? "symlink" : "other"
}

function direntOf(entry: Kinds & { readonly name: string }): HostDirent {
  return { name: entry.name, kind: kindOf(entry) }
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
