/** What a file looked like when this session last looked at it (engine D9). Keyed by real path. */
export interface SeenFile {
  readonly path: string
  /** SHA-256, hex, of all bytes; absent when only a part was read. */
  readonly sha256?: string
  readonly size: number
  readonly mtimeMs: number
}

/** When a command of the session ran, in milliseconds since the epoch. */
export interface CommandSpan {
  readonly from: number
  readonly to: number
}

/** What a session has looked at and done itself: the rest is somebody else's. */
export interface FilesSeen {
  /** By real path. */
  readonly files: ReadonlyMap<string, SeenFile>
  /** In order. What changed meanwhile counts as changed by the session. */
  readonly commands: readonly CommandSpan[]
}

/** The times of files lag behind the clock by one tick of the kernel, or are exact where the clock counts whole milliseconds. */
const tickMs = 10

/** Whether a file that last changed at this time (`ctimeMs`) was changed while one of the commands ran: then the session did it. */
export function changedByCommand(commands: readonly CommandSpan[], ctimeMs: number): boolean {
  return commands.some(({ from, to }) => ctimeMs >= from - tickMs && ctimeMs < to + 1)
}
