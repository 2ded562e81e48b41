/** A program to start. The server connects one socket per stream before it starts the program. */
export interface SpawnRequest {
  readonly id: number
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Its stdin; null: stdin is closed. */
  readonly input: string | null
  /** Whether it gets descriptor 3. */
  readonly status: boolean
  /** Its inputs on descriptors 4, 5, and so on. */
  readonly inputs: readonly Uint8Array[]
}

export const streamNames = ["stdout", "stderr", "status"] as const
export type Stream = (typeof streamNames)[number]

export type SpawnReply =
  | { readonly id: number; readonly pid: number }
  /** It could not be started; `code` is ENOENT, EACCES, ... */
  | { readonly id: number; readonly error: string; readonly code: string | null }
  | { readonly id: number; readonly exit: readonly [code: number | null, signal: string | null] }

/** The first message: the address for the sockets, and a token that authenticates the server. */
export interface ServerStart {
  readonly socket: string
  readonly token: string
}

/** The first line on a connected socket. */
export function headerOf(token: string, id: number, stream: Stream): string {
  return `${token} ${id} ${stream}\n`
}
