import {
  type AssistantContent,
  isRecord,
  type Model,
  type ModelRequest,
  type PartialUpdate,
  type Provider,
  type Reply,
  type ToolSpec,
} from "@gong/spec"
import { generatedId } from "../protocol/reply/assemble-reply.ts"
import { LiveArguments } from "../protocol/reply/live-arguments.ts"
import { type StreamTransform, transformStream } from "../protocol/reply/transform-stream.ts"
import { accumulator } from "../protocol/reply/partial-json.ts"
import { rewriter } from "./conversation.ts"
import { readEnvelope, responseFormat, toolsPrompt } from "./envelope.ts"

/**
 * A model that calls tools through a schema (`compat.calls: "schema"`): the tools stand in the system prompt, and the grammar of
 * the server restricts each reply to an answer or one call. For small models without a template for tools.
 */
export function withSchemaCalls(model: Model, open: (model: Model) => Provider): Provider {
  const rewrite = rewriter()
  const plain = open(model)
  let bound: { readonly tools: readonly ToolSpec[]; readonly prompt: string; readonly provider: Provider } | null = null
  const boundTo = (tools: readonly ToolSpec[]) => {
    if (bound?.tools !== tools) {
      const body = { ...model.body, response_format: responseFormat(tools) }
      bound = { tools, prompt: toolsPrompt(tools), provider: open({ ...model, body }) }
    }
    return bound
  }
  return {
    get model() {
      return bound === null ? plain.model : { ...model, contextWindow: bound.provider.model.contextWindow }
    },
    async *stream(request) {
      const messages = rewrite(request.messages)
      if (request.tools.length === 0) return yield* plain.stream({ ...request, messages })
      const { prompt, provider } = boundTo(request.tools)
      const system = request.system === "" ? prompt : `${request.system}\n\n${prompt}`
      const stream = provider.stream({ ...request, system, tools: [], messages })
      return yield* transformStream(stream, async () => opened(request))
    },
  }
}

/** Opens envelopes: the text of an answer as it comes, a call when it is complete. */
function opened({ draftId }: ModelRequest): StreamTransform {
  const answer = accumulator()
  let shown = ""
  return {
    pass(partial) {
      if (partial.type !== "text") return [partial]
      const text = answerIn(answer.add(partial.delta).value)
      const delta = text.slice(shown.length)
      shown = text
      return delta === "" ? [] : [{ ...partial, delta }]
    },
    end: (reply) => openedReply(reply, draftId, shown),
  }
}

function answerIn(value: unknown): string {
  const answer = isRecord(value) ? value["answer"] : undefined
  return typeof answer === "string" ? answer : ""
}

function* openedReply(reply: Reply, draftId: string, shown: string): Generator<PartialUpdate, Reply, undefined> {
  if (!reply.ok) return reply
  const { message } = reply
  const last = message.content.at(-1)
  const envelope = last?.type === "text" ? readEnvelope(last.text) : null
  if (last?.type !== "text") return reply
  const content: AssistantContent[] = message.content.slice(0, -1)
  const index = content.length
  if (envelope !== null && "call" in envelope) {
    const id = generatedId(draftId, index)
    yield { type: "call", index, id, name: envelope.call.name }
    yield new LiveArguments().add(index, JSON.stringify(envelope.call.arguments))
    content.push({ type: "tool_call", id, ...envelope.call, written: true })
    return { ok: true, message: { ...message, content, stopReason: "tool_calls" } }
  }
  const text = envelope?.answer ?? (shown === "" ? last.text : shown)
  if (text.length > shown.length) yield { type: "text", index, delta: text.slice(shown.length) }
  content.push({ type: "text", text })
  return { ok: true, message: { ...message, content } }
}
