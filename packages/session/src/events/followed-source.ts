import { type Entry, phrase, type PublishedStep, textNotification, toolCallsOf } from "@gong/spec"
import type { ReadonlyTape } from "@gong/tape"
import { type EventSource, runBefore } from "./event-stream.ts"

/** A session that another process writes, as a source of events: its active branch as it was read, and what follows it. */
export interface FollowedSource {
  readonly source: EventSource
  /** New entries, in their order. The reader takes the events of the last call first. */
  add(entries: readonly Entry[]): void
}

export interface FollowedModel {
  /** PROVIDER/ID; null: not known. */
  readonly model: string | null
  /** Tokens. */
  readonly contextWindow: number
}

/**
 * Partial replies, the output of running tools and questions are never on the disk. The disk does show that the model is
 * being asked: that is the live state of a reader that joins in the middle of a reply.
 */
export function followedSource(
  branch: ReadonlyTape["branch"],
  { model, contextWindow }: FollowedModel,
): FollowedSource {
  const listeners = new Set<Parameters<EventSource["subscribe"]>[0]>()
  const request = requestState(model)
  const past = branch.length
  for (let at = runBefore(branch, past - 1); at < past; at++) request.take(branch.entry(at))
  const publish = (step: PublishedStep): void => {
    for (const listener of listeners) listener(step, past)
  }
  return {
    source: {
      history: { all: branch },
      live: { steps: request.report },
      published: () => past,
      contextWindow: () => contextWindow,
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    add(entries) {
      for (const entry of entries) {
        request.take(entry)
        publish({ entries: [entry] })
      }
      for (const step of request.report()) publish(step)
    },
  }
}

/** Whether the model is being asked: after a message of the user, and after the last result of a batch of calls. */
function requestState(first: string | null) {
  let model = first
  let isOpen = false
  let isReported = false
  const calls = new Set<string>()
  return {
    take(entry: Entry): void {
      if (entry.type === "model_change") model = `${entry.provider}/${entry.modelId}`
      if (entry.type === "run_end") isOpen = false
      if (entry.type !== "message") return
      const { message } = entry
      if (message.role === "tool") calls.delete(message.toolCallId)
      else calls.clear()
      if (message.role === "assistant") for (const { id } of toolCallsOf(message)) calls.add(id)
      isOpen = message.role !== "assistant" && calls.size === 0
      isReported = false
    },
    /** Once for each request. */
    report(): readonly PublishedStep[] {
      if (!isOpen || isReported) return []
      isReported = true
      const text = phrase`waiting for ${model ?? phrase`the model`}; its reply is shown when it is complete`
      return [{ notification: textNotification("waiting", "info", text) }]
    },
  }
}
