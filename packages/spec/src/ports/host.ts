import type { Text } from "../phrase.ts"

/** The place where tools act: this machine, memory, later ssh, a container. Paths are absolute in that place. */
export interface Host extends HostFiles {
  /** `local` for this machine; sessions name theirs by it. */
  readonly id: string
  readonly cwd: string
  readonly home: string
  readonly tmp: string
  readonly env: Readonly<Record<string, string>>
  /** With those above it. A real path, as for `replaceFile`. */
  mkdir(path: string): Promise<void>
  /**
   * Whole replacement: beside the file, synced, renamed; mode kept; hard links written in place. The path is a real one:
   * a symbolic link anywhere on it was put there after it was judged, and is refused (`ESTALE`). So is, with `expect`,
   * another file than the one that was looked at.
   */
  replaceFile(path: string, content: FileContent, options?: ReplaceOptions): Promise<void>
  /** A file, a link, or a folder with nothing in it. A real path, as for `replaceFile`. */
  remove(path: string): Promise<void>
  exec(command: string | readonly string[], options: ExecOptions): Promise<ExecResult>
  /** Ends what named commands have left running. Those in `keep` go on, and no longer end with this process. */
  endJobs(keep?: readonly string[]): Promise<void>
  /** Full path of a program, or null. `own`: for Gong itself, so none that the project brings. */
  which(name: string, options?: { readonly own?: boolean }): Promise<string | null>
}

/** What is read of a place. The batch verbs answer for each path, in their order, and throw for none. */
export interface HostFiles extends HostReads {
  /** What stands at each path, with links followed. */
  look(paths: readonly string[]): Promise<readonly HostAnswer<HostLook>[]>
  /** Each regular file from its beginning, at most `maxBytes` of it; `EINVAL` for what is none. Never waits for a FIFO. */
  readFiles(paths: readonly string[], options: { readonly maxBytes: number }): Promise<readonly HostAnswer<HostFile>[]>
  list(folders: readonly string[]): Promise<readonly HostAnswer<readonly HostDirent[]>[]>
}

/** One path at a time. */
export interface HostReads {
  /** Null when nothing is there. Follows symbolic links unless `link`. */
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
  /** Its path without a link. */
  readonly real: string
}

export interface HostFile {
  readonly bytes: Uint8Array
  /** Of the file that was read; a larger `size` says that it goes on. */
  readonly stat: HostStat
}

export interface HostStat {
  readonly kind: "file" | "directory" | "symlink" | "other"
  readonly size: number
  readonly mtimeMs: number
  /** When content, name or mode last changed; unlike `mtimeMs` no program can set it. */
  readonly ctimeMs: number
  readonly mode: number
  readonly links: number
  /** The same for all names of one file, and for no other file in that place. */
  readonly id: string
}

export interface ReadOptions {
  /** Room that the caller lends, so that many reads need no more than one; the bytes may lie in it. */
  readonly into?: Uint8Array
  /** The path is a real one, as for `replaceFile`. */
  readonly real?: boolean
}

/** Bytes in one piece, or in parts that follow one another, so that nobody has to make one piece of a big file. */
export type FileContent = Uint8Array | readonly Uint8Array[]

export interface ReplaceOptions {
  /** What stood there when it was looked at; null: nothing. Absent: whatever stands there. */
  readonly expect?: HostStat | null
  /**
   * Called once, when only the replacement itself is left to do, which waits for it: what it waits for and the sync of
   * the new bytes take their time side by side. What it throws leaves the place as it was.
   */
  readonly announce?: () => Promise<void>
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
  /**
   * A name of its own for this command. What it starts is then found wherever it hides, also after the command itself, and
   * ended at the abort, by `endJobs`, and when this process dies.
   */
  readonly job?: string
  /** Not in the sandbox, where the host has one. */
  readonly unsandboxed?: boolean
  /** A program that only looks, with arguments of Gong's own making: not in the sandbox where no command can have changed it. */
  readonly own?: boolean
  /** What it reads from its stdin, which ends after it; absent: stdin is closed. */
  readonly input?: string
  /** In arrival order. The bytes are lent: when it returns they are gone. */
  onData(bytes: Uint8Array, stream: "stdout" | "stderr"): void
  /** What the program writes to descriptor 3, which it has only with this. */
  onStatus?(bytes: Uint8Array): void
  /** What the program reads from descriptors 4, 5, and so on, each to its end; at most a few kilobytes each. */
  readonly inputs?: readonly Uint8Array[]
}

/** When the signal aborts, the whole process group is killed and the result still comes. */
export interface ExecResult {
  readonly code: number | null
  readonly signal: string | null
  /** One line for the model about what the place did to the command. */
  readonly note?: string
}

/** The hosts that sessions can work on. */
export interface Hosts {
  open(id: string, place: HostPlace): Promise<HostOpening>
}

export interface HostPlace {
  /** Default: where the host itself stands. */
  readonly cwd?: string
  /** The workspace: its programs are not started unless a command names them. Default: `cwd`. */
  readonly project?: string
}

/** `reason`: a whole sentence. */
export type HostOpening = { readonly ok: true; readonly host: Host } | { readonly ok: false; readonly reason: Text }
