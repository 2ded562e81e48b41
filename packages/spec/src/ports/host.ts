import type { Text } from "../text/phrase.ts"

/** The machine where tools act: this one, memory, later ssh or a container. Paths are absolute there. */
export interface Host extends HostFiles {
  /** `local` for this machine; the tape stores it. */
  readonly id: string
  readonly cwd: string
  readonly home: string
  readonly tmp: string
  readonly env: Readonly<Record<string, string>>
  /** Creates parent folders as well. A real path, as for `replaceFile`. */
  mkdir(path: string): Promise<void>
  /**
   * Atomic replacement: writes beside the file, syncs, renames. Keeps the mode; writes hard-linked files in place. The path
   * must be a real one: a symbolic link on it appeared after the check and is refused (`ESTALE`), and so is, with `expect`,
   * any other file than the checked one.
   */
  replaceFile(path: string, content: FileContent, options?: ReplaceOptions): Promise<void>
  /** A file, a link, or an empty folder. A real path, as for `replaceFile`. */
  remove(path: string): Promise<void>
  exec(command: string | readonly string[], options: ExecOptions): Promise<ExecResult>
  /** Ends all processes that named commands left running. Jobs in `keep` continue and outlive this process. */
  endJobs(keep?: readonly string[]): Promise<void>
  /** Full path of a program, or null. `own`: for Gong's own use, so programs of the project do not count. */
  which(name: string, options?: { readonly own?: boolean }): Promise<string | null>
}

/** Reading verbs of a host. The batch verbs return one answer per path, in order, and never throw for one. */
export interface HostFiles extends HostReads {
  /** The stat of each path, with links followed. */
  look(paths: readonly string[]): Promise<readonly HostAnswer<HostLook>[]>
  /** Each regular file from its beginning, at most `maxBytes`; `EINVAL` for anything else. Never waits for a FIFO. */
  readFiles(paths: readonly string[], options: { readonly maxBytes: number }): Promise<readonly HostAnswer<HostFile>[]>
  list(folders: readonly string[]): Promise<readonly HostAnswer<readonly HostDirent[]>[]>
}

/** One path at a time. */
export interface HostReads {
  /** Null for a missing path. Follows symbolic links unless `link`. */
  stat(path: string, options?: { readonly link?: boolean }): Promise<HostStat | null>
  realpath(path: string): Promise<string>
  /** Bytes `from` up to but not including `to` (default: the end). Only regular files. */
  readRange(path: string, from: number, to?: number, options?: ReadOptions): Promise<Uint8Array>
  /** Throws like Node (`ENOENT`, `EACCES`, ...). */
  access(path: string, mode: "read" | "write" | "enter"): Promise<void>
  readdir(path: string): Promise<readonly HostDirent[]>
}

/** `code`: `ENOENT`, `EACCES`, ... */
export type HostAnswer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly code: string }

export interface HostLook {
  readonly stat: HostStat
  /** The path with all links resolved. */
  readonly real: string
}

export interface HostFile {
  readonly bytes: Uint8Array
  /** Stat of the file that was read; a larger `size` means that the content is cut. */
  readonly stat: HostStat
}

export interface HostStat {
  readonly kind: "file" | "directory" | "symlink" | "other"
  readonly size: number
  readonly mtimeMs: number
  /** The last change of content, name or mode; unlike `mtimeMs` no program can set it. */
  readonly ctimeMs: number
  readonly mode: number
  readonly links: number
  /** The same for all names of one file, and unique on that host. */
  readonly id: string
}

export interface ReadOptions {
  /** A buffer of the caller for reuse; the result may be a part of it. */
  readonly into?: Uint8Array
  /** The path is a real one, as for `replaceFile`. */
  readonly real?: boolean
}

/** One block of bytes or consecutive parts, so that a large file need not be in one block. */
export type FileContent = Uint8Array | readonly Uint8Array[]

export interface ReplaceOptions {
  /** The stat from the check; null: no file. Absent: any file may be replaced. */
  readonly expect?: HostStat | null
  /**
   * Called once, right before the replacement, which waits for it; it overlaps with the sync of the new bytes. If it throws,
   * nothing is changed.
   */
  readonly announce?: () => Promise<void>
}

export interface HostDirent {
  readonly name: string
  readonly kind: "file" | "directory" | "symlink" | "other"
}

export interface ExecOptions {
  readonly cwd: string
  /** The complete environment of the child; default: the host's. */
  readonly env?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /**
   * Name of this command's process tree. All its processes are found, even detached ones and after the command itself has
   * ended; they end on abort, with `endJobs`, and with this process.
   */
  readonly job?: string
  /** Runs outside the sandbox, if the host has one. */
  readonly unsandboxed?: boolean
  /** A read-only program with arguments of Gong's own: runs outside the sandbox unless a command may have changed it. */
  readonly own?: boolean
  /** Its stdin; absent: closed. */
  readonly input?: string
  /** In place of `input`: receives the stdin, which stays open. Called once when the program starts. */
  onStdin?(stdin: HostStdin): void
  /**
   * Called once when the program starts. In a process of many sessions it waits for its turn before that, which a time
   * limit must not count. A host without such waits calls it at once.
   */
  onStart?(): void
  /** In order of arrival. The buffer is reused after the return. */
  onData(bytes: Uint8Array, stream: "stdout" | "stderr"): void
  /** Output on descriptor 3, which exists only with this. */
  onStatus?(bytes: Uint8Array): void
  /** Input on descriptors 4, 5 and so on; at most a few kilobytes each. */
  readonly inputs?: readonly Uint8Array[]
}

/** The open stdin of a running program. */
export interface HostStdin {
  /** False: it was not written, since the program has not read the last 16 MB or has ended. */
  write(text: string): boolean
  end(): void
}

/** On abort the whole process group is killed, and the result still follows. */
export interface ExecResult {
  readonly code: number | null
  readonly signal: string | null
  /** One line for the model about what the host did to the command. */
  readonly note?: string
  /** What a sandbox denied to the command, such as `write to /etc/x`. */
  readonly blocked?: string
}

/** The hosts available to sessions. */
export interface Hosts {
  open(id: string, place: HostPlace): Promise<HostOpening>
}

export interface HostPlace {
  /** Default: the host's own. */
  readonly cwd?: string
  /** The workspace; its programs start only if a command names them. Default: `cwd`. */
  readonly project?: string
}

/** `reason`: a complete sentence. */
export type HostOpening = { readonly ok: true; readonly host: Host } | { readonly ok: false; readonly reason: Text }
