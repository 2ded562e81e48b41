import type { Draft, Failure, Reply } from "@gong/spec"
import type { Asked } from "../src/wire/classify.ts"
import { modelOf } from "./helpers.ts"

interface Steps<State> {
  start(asked: Asked, draftId: string, afterTool: boolean): State
  step(state: State, chunk: unknown, drafts: Draft[]): void
  ended(state: State): boolean
  finish(state: State, broken: Failure | null): Reply
}

/** What a wire makes of these chunks: its drafts as others see them, whether it has ended, and the reply. */
export function stepped<State>(wire: Steps<State>, chunks: readonly unknown[], { afterTool = false, more = {} } = {}) {
  const asked = { model: modelOf(more), credential: null }
  const state = wire.start(asked, "d1", afterTool)
  const drafts: Draft[] = []
  for (const chunk of chunks) wire.step(state, chunk, drafts)
  const ended = wire.ended(state)
  const reply = wire.finish(state, null)
  return {
    drafts: JSON.parse(JSON.stringify(drafts)) as readonly unknown[],
    ended,
    reply,
    content: (reply.ok ? reply.message : reply.partial)?.content,
    usage: (reply.ok ? reply.message : reply.partial)?.usage,
    failed: reply.ok ? null : `${reply.failure.kind}: ${reply.failure.message}`,
  }
}
