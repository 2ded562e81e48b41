import type { Failure, Model, ToolDeclaration } from "@gong/spec"

/** A recording is an artifact of its session: one line per exchange, preceded by the configuration. */
export const recordingFile = "exchanges.jsonl"

export type RecordLine = SessionLine | ModelLine | ExchangeLine

/** The session configuration of a process; valid until the next such line. */
export interface SessionLine {
  readonly type: "session"
  readonly version: 1
  readonly set: RecordedSettings
}

/** Inputs of requests that are not on the tape. */
export interface RecordedSettings {
  readonly tools: readonly ToolTraits[]
  readonly limits: Readonly<Record<string, number | undefined>>
  readonly strict: boolean
  readonly toolExecution: "parallel" | "sequential"
  readonly retry: { readonly count: number; readonly baseMs: number }
  readonly queue: { readonly steer: "all" | "one"; readonly followUp: "all" | "one" }
  readonly compaction: { readonly auto: boolean; readonly reserveTokens: number; readonly keepTokens: number }
  readonly silence: Readonly<Record<string, number>>
  /** Number of hooks that can change requests without a trace on the tape. */
  readonly hooks: number
}

/** How loop and compaction treat a tool; its text for the model is on the tape. */
export interface ToolTraits extends Pick<ToolDeclaration, "effect" | "paths"> {
  readonly name: string
  readonly readOnly: boolean
  readonly interruptible: boolean
  readonly recordsChanges: boolean
  readonly keepsTime: boolean
}

/** Facts about the model from here on, without its own headers, which may contain keys. */
export interface ModelLine {
  readonly type: "model"
  readonly model: Model
}

/** One request and its response. */
export interface ExchangeLine {
  readonly type: "exchange"
  /** `provider/id`. */
  readonly model: string
  /** The last entry of the tape when the request was sent, and when its response ended. */
  readonly began: string
  readonly ended: string
  readonly method: string
  readonly url: string
  /** Headers without keys. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: RecordedBody
  /** Null for no response. */
  readonly response: RecordedResponse | null
  readonly end: RecordedEnd
}

/** The first `kept` and the last `end` bytes equal those of the process's previous request; `rest` is between them. */
export interface RecordedBody {
  readonly kept: number
  readonly rest: string
  readonly end: number
}

export interface RecordedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The received bytes, as text if they are valid UTF-8. */
  readonly text?: string
  readonly base64?: string
}

export type RecordedEnd =
  | { readonly kind: "done" }
  /** Not read to its end: the reply was complete, the run was stopped, or the stream was silent for too long. */
  | { readonly kind: "left" }
  | { readonly kind: "broken"; readonly failure: Pick<Failure, "kind" | "message" | "retryable"> }

/** Replaces each byte of a key: it occurs in no JSON text, and keeps all later positions. */
export const hiddenByte = 0x18
