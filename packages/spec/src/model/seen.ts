/** State of a file when this session last read it (engine D9). Keyed by real path. */
export interface SeenFile {
  readonly path: string
  /** SHA-256 (hex) of all bytes; absent after a partial read. */
  readonly sha256?: string
  readonly size: number
  readonly mtimeMs: number
}

/** Run time of a command of the session, in milliseconds since the epoch. */
export interface CommandSpan {
  readonly from: number
  readonly to: number
}

/** Files and commands that the session knows; any other change is external. */
export interface FilesSeen {
  /** By real path. */
  readonly files: ReadonlyMap<string, SeenFile>
  /** In order. Changes within a span count as the session's own. */
  readonly commands: readonly CommandSpan[]
}

/** File times lag behind the clock by up to one kernel tick; they are exact where the clock counts whole milliseconds. */
const tickMs = 10

/** Whether a file's last change (`ctimeMs`) falls into the run time of a command, and so is the session's own. */
export function changedByCommand(commands: readonly CommandSpan[], ctimeMs: number): boolean {
  return commands.some(({ from, to }) => ctimeMs >= from - tickMs && ctimeMs < to + 1)
}
