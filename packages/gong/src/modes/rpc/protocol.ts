import type { Event } from "@gong/spec"
import type { ErrorCode } from "@gong/app/controller/answer"
import type { Answers } from "@gong/app/controller/data"

export interface RpcError {
  readonly code: ErrorCode
  /** One sentence: what is wrong. */
  readonly message: string
  /** What to do about it. */
  readonly hint?: string
}

/** Any line that a client reads. New types and fields may come at any time: what is not known is to be ignored. */
export type RpcLine = EventLine | Response

/** An event, numbered and dated. */
export type EventLine = Event & Numbered

/** The line that answers a command; every command line has exactly one. */
export type Response = Numbered & Head & (Succeeded | Failed)

interface Numbered {
  /** 1, 2, 3, ... in this process; events and responses together. */
  readonly seq: number
  /** ISO 8601, UTC. */
  readonly time: string
}

interface Head {
  readonly type: "response"
  /** As the command gave it; absent when it gave none, or could not be read. */
  readonly id?: string | number
}

/** What the command was, and what it came to. */
type Succeeded = {
  readonly [C in keyof Answers]: { readonly command: C; readonly success: true; readonly data: Answers[C] }
}[keyof Answers]

interface Failed {
  /** Null when the line named none. */
  readonly command: string | null
  readonly success: false
  readonly error: RpcError
}
