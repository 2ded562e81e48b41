import type { ExecOptions, ExecResult, Host, HostDirent, HostReads, HostStat } from "@gong/spec"
import { joined } from "./files/content.ts"
import { batchVerbs } from "./host/batch-verbs.ts"
import { codeOf } from "./result.ts"

/** Operations that a caller can substitute for those of the host (contract section 18). All paths are absolute. */
export interface FileOperations {
  readFile?(path: string): Promise<Uint8Array>
  writeFile?(path: string, bytes: Uint8Array): Promise<void>
  mkdir?(path: string): Promise<void>
  /** Throws if the file may not be accessed. */
  access?(path: string): Promise<void>
  detectImageMimeType?(path: string): Promise<string | null>
}

export interface FolderOperations {
  exists?(path: string): Promise<boolean>
  isDirectory?(path: string): Promise<boolean>
  stat?(path: string): Promise<Pick<HostStat, "kind" | "size" | "mtimeMs">>
  readdir?(path: string): Promise<readonly HostDirent[]>
  /** Paths relative to `cwd`, in display order. */
  glob?(pattern: string, cwd: string, options: { limit: number; signal: AbortSignal }): Promise<readonly string[]>
}

export interface CommandOperations {
  exec?(command: string, cwd: string, options: Omit<ExecOptions, "cwd">): Promise<ExecResult>
}

export type Operations = FileOperations & FolderOperations & CommandOperations

/** The host with some members replaced. Tools do not notice. */
export function withOperations(host: Host, operations: Operations): Host {
  const { readFile, writeFile, mkdir, access, exec, readdir } = operations
  const reads: HostReads = {
    ...host,
    ...statMembers(host, operations),
    ...(readFile && { readRange: async (path, from, to) => (await readFile(path)).subarray(from, to) }),
    // Files known only to the operations are theirs to refuse.
    ...((access || readFile) && { access: async (path) => access?.(path) }),
    ...(readdir && { readdir: (path) => readdir(path) }),
  }
  return {
    ...host,
    ...reads,
    ...batchVerbs(reads),
    // The caller's stat came from the operations, so it cannot be compared with the host's file.
    replaceFile: async (path, content, { announce } = {}) => {
      if (writeFile === undefined) return host.replaceFile(path, content, announce && { announce })
      await announce?.()
      return writeFile(path, joined(content))
    },
    ...(mkdir && { mkdir: (path) => mkdir(path) }),
    ...(exec && {
      exec(command, { cwd, onStart, ...options }) {
        onStart?.()
        return exec(typeof command === "string" ? command : command.join(" "), cwd, options)
      },
    }),
  }
}

/** Files known only to the operations have no stat on the host, so their content decides what they are. */
function statMembers(host: Host, operations: Operations): Partial<Host> {
  const { readFile, access, exists, isDirectory, stat, exec } = operations
  const fill = { ctimeMs: 0, mode: 0o644, links: 1, id: "" }
  const own = async (path: string): Promise<HostStat | null> => {
    if (exists && !(await exists(path))) return null
    if (stat) return { ...fill, ...(await stat(path)) }
    if (isDirectory) return { ...fill, kind: (await isDirectory(path)) ? "directory" : "file", size: 0, mtimeMs: 0 }
    if (exists || exec) return { ...fill, kind: "directory", size: 0, mtimeMs: 0 }
    if (!readFile) return host.stat(path)
    // A file that `access` refuses is not read, not even for its size.
    try {
      await access?.(path)
    } catch (error) {
      if (codeOf(error) === "ENOENT") return null
      throw error
    }
    const bytes = await readFile(path).catch(() => null)
    return bytes && { ...fill, kind: "file", size: bytes.length, mtimeMs: 0 }
  }
  const real = async (path: string) => host.realpath(path).catch(() => path)
  return { stat: own, realpath: real }
}
