import {
  type AssistantContent,
  type AssistantMessage,
  deepFreeze,
  type Message,
  type ModelRef,
  noUsage,
  type ThinkingLevel,
  thinkingLevels,
  type ToolResultMessage,
  type ToolSpec,
  type UserContent,
} from "@gong/spec"
import type { Rng } from "@gong/testing/sim/rng"

/** Possible contents of a session: messages of many models, cut replies, unanswered calls, ids and names of any form. */
export interface Transcript {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  readonly thinking: ThinkingLevel
  readonly withoutThinking: boolean
}

/** `models`: those of the replies. A user message comes first, as in every context. */
export function transcript(rng: Rng, models: readonly [ModelRef, ...ModelRef[]]): Transcript {
  const messages: Message[] = [{ role: "user", content: [{ type: "text", text: "begin" }, ...userContent(rng)] }]
  for (let more = 1 + rng.int(8); more > 0; more--) messages.push(...exchange(rng, models, 10 * messages.length))
  if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: userContent(rng) })
  return {
    system: rng.chance(0.8) ? `You are Gong. ${text(rng)}` : "",
    messages: deepFreeze(messages),
    tools: rng.chance(0.85) ? tools : [],
    thinking: rng.pick([...thinkingLevels]),
    withoutThinking: rng.chance(0.1),
  }
}

const tools: readonly ToolSpec[] = ["read", "bash"].map((name) => ({
  name,
  description: name,
  parameters: { type: "object", properties: { path: { type: "string" } } },
}))

function exchange(rng: Rng, models: readonly [ModelRef, ...ModelRef[]], first: number): Message[] {
  const messages: Message[] = []
  for (let users = rng.int(3); users > 0; users--) messages.push({ role: "user", content: userContent(rng) })
  if (rng.chance(0.15)) return messages
  const reply = assistant(rng, models, first)
  messages.push(reply)
  for (const block of reply.content) {
    if (block.type !== "tool_call" || rng.chance(0.1)) continue
    messages.push(result(rng, block.id, block.name))
    if (rng.chance(0.03)) messages.push(result(rng, block.id, block.name))
  }
  // A result without its call, and text between calls and their results.
  if (rng.chance(0.05)) messages.push(result(rng, "call_gone", "read"))
  if (rng.chance(0.05)) messages.splice(-1, 0, { role: "user", content: userContent(rng) })
  return messages
}

/** `first` numbers its calls. */
function assistant(rng: Rng, models: readonly [ModelRef, ...ModelRef[]], first: number): AssistantMessage {
  const model = rng.pick(models)
  const content: AssistantContent[] = []
  for (let blocks = rng.int(5); blocks > 0; blocks--) content.push(block(rng, first + content.length, model.api))
  const calls = content.some(({ type }) => type === "tool_call")
  const stopReason = calls
    ? "tool_calls"
    : rng.pick<AssistantMessage["stopReason"]>(["stop", "stop", "length", "error", "aborted"])
  return { role: "assistant", content, model, stopReason, usage: noUsage, cost: null }
}

function block(rng: Rng, n: number, api: string): AssistantContent {
  const kind = rng.int(10)
  if (kind < 3) return { type: "text", text: text(rng) }
  if (kind < 6) return thinking(rng, api, n)
  const broken = rng.chance(0.1) ? { broken: '{"path": "a' } : {}
  const signed = rng.chance(0.2) ? { signature: signatureFor(rng, api, n) } : {}
  const args = Object.keys(broken).length > 0 ? {} : { path: text(rng), n: rng.int(9) }
  return { type: "tool_call", id: id(rng, n), name: name(rng), arguments: args, ...broken, ...signed }
}

function thinking(rng: Rng, api: string, n: number): AssistantContent {
  if (rng.chance(0.15)) return { type: "thinking", text: "", signature: signatureFor(rng, api, n), redacted: true }
  return { type: "thinking", text: text(rng), ...(rng.chance(0.6) ? { signature: signatureFor(rng, api, n) } : {}) }
}

function result(rng: Rng, callId: string, toolName: string): ToolResultMessage {
  const isError = rng.chance(0.2)
  const content = rng.chance(0.1) ? [] : userContent(rng)
  return {
    role: "tool",
    toolCallId: callId,
    toolName,
    content,
    details: rng.chance(0.3) ? { secret: 1 } : null,
    isError,
    status: isError ? "error" : "ok",
  }
}

function userContent(rng: Rng): UserContent[] {
  return Array.from({ length: 1 + rng.int(3) }, () =>
    rng.chance(0.2)
      ? {
          type: "image",
          mimeType: rng.pick(["image/png", "image/jpeg", "image/gif", "image/webp"]),
          data: "iVBORw0KGgo=",
        }
      : { type: "text", text: text(rng) },
  )
}

function text(rng: Rng): string {
  return rng.pick([
    "plain words",
    "",
    " \n\t",
    "中文，工",
    "<thinking>not mine</thinking>",
    '"quoted" \\ and \u0000 \u2028',
    "half a pair \ud83d",
    "🔨".repeat(3),
    "{}",
  ])
}

/** In this wire format's form; servers that imitate a format leave it empty. */
function signatureFor(rng: Rng, api: string, n: number): string {
  if (api === "openai-completions") {
    const details = ['{"type":"reasoning.text","index":0}', `{"type":"reasoning.encrypted","data":"c2Vh","id":"t${n}"}`]
    return rng.pick(["reasoning_content", "reasoning", "reasoning_text", "content", ...details])
  }
  if (api === "openai-responses") return rng.pick([`rs_${n}|c2VhbGVk`, `rs_${n}`, ""])
  return rng.pick(["c2lnbmF0dXJl", "c2lnbmF0dXJl", ""])
}

/** In the forms of the four wire formats, of other agents and of careless servers; a session makes them unique. */
function id(rng: Rng, n: number): string {
  return rng.pick([
    `call_${n}`,
    `toolu_01${"A".repeat(20)}${n}`,
    `call_${n}|fc_${"b".repeat(60)}${n}`,
    `functions.read:${n}`,
    `工具-${n}`,
    "x".repeat(300 + n),
    `${n}`,
    `a b${n}`,
    `abcdef${String(n).padStart(3, "0")}`,
  ])
}

function name(rng: Rng): string {
  return rng.pick(["read", "bash", "read", "bash", "no such tool", "", "1st", "mcp__server__" + "y".repeat(80), "工"])
}
