import { type Failure, failure, type StopReason, type Usage, phrase } from "@gong/spec"
import { type RequestContext, classify } from "../protocol/errors/classify.ts"
import type { OpenBlock } from "../protocol/reply/assemble-reply.ts"

/** The part of a reply's state for its end. */
export interface Ending {
  readonly context: RequestContext
  readonly blocks: readonly OpenBlock[]
  readonly usage: Usage
  stop: StopReason | null
  failure: Failure | null
}

/** `finish_reason` of OpenAI, and the additional values of Zhipu and Z.AI (docs.z.ai/api-reference/llm/chat-completion). */
export function readFinish(state: Ending, reason: string): void {
  const fail = (message: string) => void (state.failure ??= classify({ message, code: "" }, state.context))
  if (reason === "content_filter" || reason === "refusal" || reason === "sensitive") {
    const { provider } = state.context.model
    state.failure ??= failure("model-refused", phrase`${provider} stopped the reply: ${reason}`, { provider })
  } else if (reason === "error" || reason === "network_error") fail(`the reply ended with an error: ${reason}`)
  else if (reason === fullWindow && state.blocks.length === 0) fail(reason)
  else if (reason === "tool_calls" || reason === "function_call") state.stop = "tool_calls"
  else state.stop = reason === "length" || reason === fullWindow ? "length" : "stop"
}

const fullWindow = "model_context_window_exceeded"

/** Share of the window, as counted by servers that truncate the prompt (Xiaomi MiMo). */
const nearlyFull = 0.99

/** Detects a truncated prompt by its counts: there was no room for a reply, or the count exceeds the window. */
export function silentOverflow({ context, blocks, usage, stop }: Ending): Failure | null {
  const { contextWindow, compat } = context.model
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  const noRoom = stop === "length" && blocks.length === 0 && usage.output === 0 && prompt >= nearlyFull * contextWindow
  if (!noRoom && !(compat?.silentOverflow && prompt > contextWindow)) return null
  return classify({ message: `prompt is too long: ${prompt} tokens`, code: "" }, context)
}
