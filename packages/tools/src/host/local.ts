import { constants } from "node:fs"
import * as fs from "node:fs/promises"
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

/** This machine. */
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
    realpath: (path) => fs.realpath(path),
    readRange,
    access: (path, mode) => fs.access(path, mode === "read" ? constants.R_OK : constants.W_OK),
    readdir: async (path) => (await fs.readdir(path, { withFileTypes: true })).map(direntOf),
    mkdir: makeFolder,
    replaceFile: replaceFileLocally,
    remove: (path) => fs.unlink(path),
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
    const found = options.link ? await fs.lstat(path) : await fs.stat(path)
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
async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path)
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await makeOne(path)
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await fs.mkdir(path)
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !(await fs.stat(path)).isDirectory()) throw error
  }
}

/** Opened without waiting, so that a FIFO put there since the last look cannot hold the call. */
async function readRange(path: string, from: number, to?: number): Promise<Uint8Array> {
  const file = await fs.open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await file.stat()
    if (!found.isFile()) throw notRegular(path)
    const end = found.size === 0 ? from + UNSIZED_MAX_BYTES : found.size
    const wanted = Math.max(0, Math.min(to ?? Infinity, end) - from)
    const bytes = Buffer.allocUnsafe(wanted)
    let filled = 0
    while (filled < wanted) {
      const { bytesRead } = await file.read(bytes, filled, wanted - filled, from + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return bytes.subarray(0, filled)
  } finally {
    await file.close()
  }
}

async function findProgram(name: string, path: string): Promise<string | null> {
  const places = name.includes("/") ? [name] : path.split(delimiter).map((folder) => join(folder || ".", name))
  for (const place of places) {
    const found = await fs.access(place, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return place
  }
  return null
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
