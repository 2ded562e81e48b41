import type { PartialUpdate, Failure, Model, Reply, StopReason } from "@gong/spec"
import type { BodyFormat } from "./request/body.ts"
import type { RequestContext, Refusal } from "./errors/classify.ts"

/** What every state of a reply has. */
export interface ReplyState {
  /** Why the model stopped, once it has said so. */
  readonly stop: StopReason | null
}

/** One wire format: what a provider over it needs beside the transport. Every part of it is pure. */
export interface Protocol<State extends ReplyState> {
  /** After the base URL. */
  path(model: Model): string
  headers(context: RequestContext): Readonly<Record<string, string>>
  readonly format: BodyFormat
  /** `afterTool`: what is asked for is the reply to a tool's result. */
  start(context: RequestContext, draftId: string, afterTool: boolean): State
  /** Takes one parsed event of the stream, or `"[DONE]"`; what it brings for the screen is put at the end of `partials`. */
  step(state: State, chunk: unknown, partials: PartialUpdate[]): void
  /** Turns a reply that came whole into the chunks a stream would have brought; null when it is no reply. */
  chunksOf(reply: unknown): readonly unknown[] | null
  /** The reply is over, well or badly. */
  ended(state: State): boolean
  /** What came of it. `broken` says why the stream ended before its time. */
  finish(state: State, broken: Failure | null): Reply
  /** Reads an error body; null when it is none. */
  readError(body: unknown): Refusal | null
}
