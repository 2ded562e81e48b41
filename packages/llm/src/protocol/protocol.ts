import type { PartialUpdate, Failure, Model, Reply, StopReason } from "@gong/spec"
import type { BodyFormat } from "./request/body.ts"
import type { RequestContext, Refusal } from "./errors/classify.ts"

/** Common state of a streaming reply. */
export interface ReplyState {
  /** Why the model stopped; null before it has. */
  readonly stop: StopReason | null
}

/** One wire format, as pure functions. */
export interface Protocol<State extends ReplyState> {
  /** Path after the base URL. */
  path(model: Model): string
  headers(context: RequestContext): Readonly<Record<string, string>>
  readonly format: BodyFormat
  /** `afterTool`: the last message is a tool result. */
  start(context: RequestContext, draftId: string, afterTool: boolean): State
  /** Handles one parsed event of the stream, or `"[DONE]"`, and appends its updates to `partials`. */
  step(state: State, chunk: unknown, partials: PartialUpdate[]): void
  /** Converts a non-streamed reply into stream events; null if it is not a reply. */
  chunksOf(reply: unknown): readonly unknown[] | null
  /** Whether the reply is over, by success or failure. */
  ended(state: State): boolean
  /** Builds the reply. `broken`: why the stream ended early. */
  finish(state: State, broken: Failure | null): Reply
  /** Parses an error body; null if it is not an error. */
  readError(body: unknown): Refusal | null
}
