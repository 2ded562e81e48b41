/** The place where tools act: this machine, memory, later ssh, a container. Paths are absolute in that place. */
export interface Host {
  readonly id: string
  readonly cwd: string
  readonly home: string
  readonly tmp: string
  readonly env: Readonly<Record<string, string>>
  /** Null when nothing is there. Follows symbolic links unless `link`. */
  stat(path: string, options?: { readonly link?: boolean }): Promise<HostStat | null>
  realpath(path: string): Promise<string>
  /**
   * Bytes `from` up to but not including `to` (default: the end). Only regular files. They may lie in `into`, room that
   * the caller lends so that many reads need no more than one.
   */
  readRange(path: string, from: number, to?: number, into?: Uint8Array): Promise<Uint8Array>
  /** Throws like Node (`ENOENT`, `EACCES`, ...). */
  access(path: string, mode: "read" | "write"): Promise<void>
  readdir(path: string): Promise<readonly HostDirent[]>
  mkdir(path: string): Promise<void>
  /** Whole replacement: beside the file, synced, renamed; mode and symbolic link kept; hard links written in place. */
  replaceFile(path: string, bytes: Uint8Array): Promise<void>
  remove(path: string): Promise<void>
  exec(command: string | readonly string[], options: ExecOptions): Promise<ExecResult>
  /** Full path of a program, or null. */
  which(name: string): Promise<string | null>
}

export interface HostStat {
  readonly kind: "file" | "directory" | "symlink" | "other"
  readonly size: number
  readonly mtimeMs: number
  readonly mode: number
  readonly links: number
}

export interface HostDirent {
  readonly name: string
  readonly kind: "file" | "directory" | "symlink" | "other"
}

export interface ExecOptions {
  readonly cwd: string
  /** The whole environment of the child; default: the host's. */
  readonly env?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** In arrival order. */
  onData(bytes: Uint8Array, stream: "stdout" | "stderr"): void
}

/** When the signal aborts, the whole process group is killed and the result still comes. */
export interface ExecResult {
  readonly code: number | null
  readonly signal: string | null
}
