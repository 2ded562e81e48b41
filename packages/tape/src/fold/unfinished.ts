import { type EntryOf, type ToolCall, toolCallsOf } from "@gong/spec"
import { type Fold, lastIndexWhere, indexesWhere } from "./fold.ts"

/** A tool call without a result. With a start entry it may have taken effect; without one it did not run (engine D18). */
export interface UnfinishedCall {
  readonly call: ToolCall
  /** The reply that made the call. */
  readonly entryId: string
  readonly start: EntryOf<"tool_start"> | null
}

/** The calls of the last reply on the branch that have no result, by call id, in call order. */
export type Unfinished = ReadonlyMap<string, UnfinishedCall>

export const unfinished: Fold<Unfinished> = {
  initial: () => new Map(),
  step(state, entry) {
    const calls = state as Map<string, UnfinishedCall>
    if (entry.type === "tool_start") {
      const known = calls.get(entry.callId)
      if (known !== undefined) calls.set(entry.callId, { ...known, start: entry })
    }
    if (entry.type !== "message") return calls
    const { message } = entry
    if (message.role === "tool") calls.delete(message.toolCallId)
    else if (message.role === "assistant") {
      // A new reply is only requested when all calls of the previous one have results.
      calls.clear()
      for (const call of toolCallsOf(message)) calls.set(call.id, { call, entryId: entry.id, start: null })
    }
    return calls
  },
  needs(branch) {
    const reply = lastIndexWhere(branch, (head) => head.role === "assistant")
    return indexesWhere(branch, (head) => matters.has(head.type), Math.max(0, reply))
  },
}

const matters: ReadonlySet<string> = new Set(["message", "tool_start"])
