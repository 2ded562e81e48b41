import type { PlayedCall, Turn } from "./turn.ts"

/** One wire format of the server. A new format is one file with this interface. */
export interface WireFormat {
  readonly api: string
  /** Whether a path belongs to this format. */
  serves(path: string): boolean
  /** The errors of the real API for this request. */
  validate(body: unknown, headers: Readonly<Record<string, unknown>>, path: string): readonly string[]
  /** Text of the stream, one piece per event. */
  stream(play: Play): Iterable<string>
  /** The same reply without streaming; a string is JSON already. */
  whole(play: Play): unknown
  /** Body of an error with this status. */
  refusal(status: number, message: string, code: string | undefined): unknown
  /** The API's message for too long a context. */
  readonly overflow: string
  /** An error in the middle of a stream. */
  errorEvent(message: string): string
}

export interface Play {
  readonly turn: Turn
  /** Unique per reply of a server. */
  readonly replyId: string
  readonly model: string
  readonly calls: readonly NumberedCall[]
  /** Seconds since the epoch, fixed: the same script gives the same bytes. */
  readonly created: number
}

export interface NumberedCall extends PlayedCall {
  readonly id: string
}
