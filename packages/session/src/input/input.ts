import { type EntryOf, FailureError, type InputKind, type NewEntry } from "@gong/spec"
import type { SessionCore } from "../core.ts"
import { maxQueued, queueFull, queueUpdate } from "../notifications.ts"
import { inputBody, type InputOptions } from "./entries.ts"
import type { TemplateExpander } from "./template-expander.ts"

/** Messages of the user, on their way to the tape and the queue. */
export interface SessionInput {
  /** Writes an input behind the entries `before` and puts it into the queue. Throws FailureError (`limit`) when 100 wait. */
  accept(kind: InputKind, text: string, options: InputOptions, before?: readonly NewEntry[]): EntryOf<"input">
  /** As `Session.steer`. */
  steer(text: string, options?: InputOptions): Promise<string>
  /** As `Session.followUp`. */
  followUp(text: string, options?: InputOptions): Promise<string>
}

export function sessionInput(core: SessionCore, expander: TemplateExpander): SessionInput {
  const { queue, writer, notify } = core
  const accept: SessionInput["accept"] = (kind, text, options, before = []) => {
    if (kind !== "prompt" && queue.size >= maxQueued) throw new FailureError(queueFull())
    const input = writer.write([...before, inputBody(kind, text, options)]).at(-1) as EntryOf<"input">
    queue.put(input)
    if (kind !== "prompt") notify(queueUpdate(queue))
    return input
  }
  return {
    accept,
    steer: async (text, options = {}) => writer.settled(accept("steer", expand(expander, text), options).id),
    followUp: async (text, options = {}) =>
      writer.settled(accept("follow_up", expand(expander, text), { source: "follow_up", ...options }).id),
  }
}

/** Throws the failure where the text names an unknown skill or template. */
function expand(expander: TemplateExpander, text: string): string {
  const expanded = expander.expand(text)
  if (!expanded.ok) throw new FailureError(expanded.failure)
  return expanded.text
}
