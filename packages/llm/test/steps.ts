import type { PartialUpdate, Failure, Reply } from "@gong/spec"
import type { RequestContext } from "../src/protocol/errors/classify.ts"
import { modelOf } from "./helpers.ts"

interface Steps<State> {
  start(context: RequestContext, draftId: string, afterTool: boolean): State
  step(state: State, chunk: unknown, partials: PartialUpdate[]): void
  ended(state: State): boolean
  finish(state: State, broken: Failure | null): Reply
}

/** Runs a wire format over these chunks: its partials as JSON, whether it has ended, and the reply. */
export function stepped<State>(
  protocol: Steps<State>,
  chunks: readonly unknown[],
  { afterTool = false, more = {} } = {},
) {
  const context = { model: modelOf(more), credential: null }
  const state = protocol.start(context, "d1", afterTool)
  const partials: PartialUpdate[] = []
  for (const chunk of chunks) protocol.step(state, chunk, partials)
  const ended = protocol.ended(state)
  const reply = protocol.finish(state, null)
  return {
    partials: JSON.parse(JSON.stringify(partials)) as readonly unknown[],
    ended,
    reply,
    content: (reply.ok ? reply.message : reply.partial)?.content,
    usage: (reply.ok ? reply.message : reply.partial)?.usage,
    failed: reply.ok ? null : `${reply.failure.kind}: ${reply.failure.message}`,
  }
}
