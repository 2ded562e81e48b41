import type { PlayedCall, Turn } from "./turn.ts"

/** One wire format as the server speaks it. A new format is one file with this shape. */
export interface WireFormat {
  readonly api: string
  /** Whether a request to this path speaks the format. */
  serves(path: string): boolean
  /** What the real API would refuse. */
  validate(body: unknown, headers: Readonly<Record<string, unknown>>, path: string): readonly string[]
  /** Text of the stream, one piece per event. */
  stream(play: Play): Iterable<string>
  /** The same reply when streaming was not asked for; a string is JSON already. */
  whole(play: Play): unknown
  /** Body of an error with this status. */
  refusal(status: number, message: string, code: string | undefined): unknown
  /** The API's words for a context that does not fit. */
  readonly overflow: string
  /** An error in the middle of a stream. */
  errorEvent(message: string): string
}

export interface Play {
  readonly turn: Turn
  /** Different for every reply of a server. */
  readonly replyId: string
  readonly model: string
  readonly calls: readonly NumberedCall[]
  /** Seconds since the epoch, fixed: the same script gives the same bytes. */
  readonly created: number
}

export interface NumberedCall extends PlayedCall {
  readonly id: string
}
