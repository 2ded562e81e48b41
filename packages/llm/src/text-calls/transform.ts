import {
  type AssistantContent,
  type AssistantMessage,
  type ModelRequest,
  type PartialUpdate,
  type Reply,
  textOf,
} from "@gong/spec"
import { generatedId } from "../protocol/reply/assemble-reply.ts"
import { LiveArguments } from "../protocol/reply/live-arguments.ts"
import type { StreamTransform } from "../protocol/reply/transform-stream.ts"
import { findCalls, type Segment } from "./find-calls.ts"
import { type HoldBack, holdBack } from "./hold-back.ts"

/** Reads the tool calls in the text of a reply. Never beside calls of the wire format: then the text is about something else. */
export function textCalls(request: ModelRequest): StreamTransform {
  const text = textStream()
  return { pass: text.pass, end: (reply) => endReply(reply, request, text) }
}

interface TextStream {
  /** The partials to show: those of text as far as it cannot become a call. */
  pass(partial: PartialUpdate): readonly PartialUpdate[]
  /** The number of characters shown of the last text. */
  shown(): number
  /** The text held back, if any. */
  flush(): readonly PartialUpdate[]
}

function textStream(): TextStream {
  let held: HoldBack | null = null
  let index = -1
  let shown = 0
  function text(delta: string): readonly PartialUpdate[] {
    shown += delta.length
    return delta === "" ? [] : [{ type: "text", index, delta }]
  }
  function flush(): readonly PartialUpdate[] {
    const rest = held?.rest() ?? ""
    held = null
    return text(rest)
  }
  return {
    pass(partial) {
      if (partial.type !== "text") return [...flush(), partial]
      const before = held !== null && partial.index !== index ? flush() : []
      if (held === null) {
        held = holdBack()
        index = partial.index
        shown = 0
      }
      return [...before, ...text(held.add(partial.delta))]
    },
    shown: () => shown,
    flush,
  }
}

/** The reply with its calls, and the partials for what was held back. */
function* endReply(
  reply: Reply,
  { tools, draftId }: ModelRequest,
  text: TextStream,
): Generator<PartialUpdate, Reply, undefined> {
  const segments = reply.ok ? segmentsOf(reply.message, tools) : null
  if (!reply.ok || segments === null) {
    yield* text.flush()
    return reply
  }
  const { message } = reply
  const content: AssistantContent[] = message.content.slice(0, -1)
  for (const [at, segment] of segments.entries()) {
    const index = content.length
    const block = blockOf(segment, generatedId(draftId, index))
    content.push(block)
    yield* partialsOf(block, index, at === 0 ? text.shown() : 0)
  }
  return { ok: true, message: { ...message, content, stopReason: "tool_calls" } }
}

function segmentsOf(
  { content, stopReason }: AssistantMessage,
  tools: ModelRequest["tools"],
): readonly Segment[] | null {
  const last = content.at(-1)
  if (last?.type !== "text" || stopReason !== "stop" || content.some(({ type }) => type === "tool_call")) return null
  return findCalls(last.text, tools)
}

function blockOf(segment: Segment, id: string): AssistantContent {
  if ("text" in segment) return { type: "text", text: segment.text }
  return { type: "tool_call", id, ...segment.call, written: true }
}

function* partialsOf(block: AssistantContent, index: number, shown: number): Generator<PartialUpdate> {
  if (block.type === "tool_call") {
    yield { type: "call", index, id: block.id, name: block.name }
    yield new LiveArguments().add(index, JSON.stringify(block.arguments))
  } else {
    const delta = textOf({ content: [block] }).slice(shown)
    if (delta !== "") yield { type: "text", index, delta }
  }
}
