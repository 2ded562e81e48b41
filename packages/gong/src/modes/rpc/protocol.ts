import type { Event } from "@gong/spec"
import type { ErrorCode } from "@gong/app/controller/answer"
import type { Answers } from "@gong/app/controller/data"

export interface RpcError {
  readonly code: ErrorCode
  /** One sentence about the problem. */
  readonly message: string
  /** How to fix it. */
  readonly hint?: string
}

/** Any line that a client reads. New types and fields may appear at any time; clients must ignore unknown ones. */
export type RpcLine = EventLine | Response

/** An event with its number and time. */
export type EventLine = Event & Numbered

/** The response to a command; every command line has exactly one. */
export type Response = Numbered & Head & (Succeeded | Failed)

interface Numbered {
  /** 1, 2, 3, ... in this process; events and responses together. */
  readonly seq: number
  /** ISO 8601, UTC. */
  readonly time: string
}

interface Head {
  readonly type: "response"
  /** The `id` of the command; absent if it had none or could not be parsed. */
  readonly id?: string | number
}

/** The command and its data. */
type Succeeded = {
  readonly [C in keyof Answers]: { readonly command: C; readonly success: true; readonly data: Answers[C] }
}[keyof Answers]

interface Failed {
  /** Null if the line had none. */
  readonly command: string | null
  readonly success: false
  readonly error: RpcError
}
