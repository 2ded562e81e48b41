import type { Failure, Model, ToolDeclaration } from "@gong/spec"

/** A recording stands among the artifacts of its session: one line for each exchange, and before it what it was made with. */
export const recordingFile = "exchanges.jsonl"

export type RecordLine = SessionLine | ModelLine | ExchangeLine

/** How a process had set its session up. From here on it holds, until the next such line. */
export interface SessionLine {
  readonly type: "session"
  readonly version: 1
  readonly set: SessionSet
}

/** What decides about requests and stands nowhere on the tape. */
export interface SessionSet {
  readonly tools: readonly ToolTraits[]
  readonly limits: Readonly<Record<string, number | undefined>>
  readonly strict: boolean
  readonly toolExecution: "parallel" | "sequential"
  readonly retry: { readonly count: number; readonly baseMs: number }
  readonly queue: { readonly steer: "all" | "one"; readonly followUp: "all" | "one" }
  readonly compaction: { readonly auto: boolean; readonly reserveTokens: number; readonly keepTokens: number }
  readonly silence: Readonly<Record<string, number>>
  /** How many hooks could change requests alone: what all others did stands on the tape. */
  readonly hooks: number
}

/** How the loop and compaction deal with a tool; what a model is told of it stands on the tape. */
export interface ToolTraits extends Pick<ToolDeclaration, "effect" | "paths"> {
  readonly name: string
  readonly readOnly: boolean
  readonly interruptible: boolean
  readonly recordsChanges: boolean
  readonly keepsTime: boolean
}

/** What is known of a model that is asked from here on; without its own headers, which may hold keys. */
export interface ModelLine {
  readonly type: "model"
  readonly model: Model
}

/** One request and what came of it. */
export interface ExchangeLine {
  readonly type: "exchange"
  /** `provider/id`. */
  readonly model: string
  /** The last entry of the tape when the request was sent, and when its response was over. */
  readonly began: string
  readonly ended: string
  readonly method: string
  readonly url: string
  /** Those that hold no key. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: RecordedBody
  /** Null: none came. */
  readonly response: RecordedResponse | null
  readonly end: RecordedEnd
}

/** The first `kept` and the last `end` bytes are those of the process's request before; `rest` stands between them. */
export interface RecordedBody {
  readonly kept: number
  readonly rest: string
  readonly end: number
}

export interface RecordedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The bytes as they came: as text where they are UTF-8, which is where nothing cut them. */
  readonly text?: string
  readonly base64?: string
}

export type RecordedEnd =
  | { readonly kind: "done" }
  /** Not read to its end: the reply was over, the run was stopped, or the line was silent for too long. */
  | { readonly kind: "left" }
  | { readonly kind: "broken"; readonly failure: Pick<Failure, "kind" | "message" | "retryable"> }

/** Stands for one byte of a key: no JSON text holds it, and everything behind it keeps its place. */
export const hiddenByte = 0x18
