import { type AssistantContent, isRecord, noUsage, parseJson, type Usage, type UserContent } from "@gong/spec"
import type { JsonObject } from "../candidate.ts"
import {
  type Conversation,
  countOf,
  imageOf,
  replyOf,
  resultOf,
  type Step,
  stringOf,
  textBlock,
  timeOf,
  type Untaken,
  untakenCounts,
} from "./conversation.ts"
import { linesOf, listOf } from "./files.ts"

/**
 * A rollout of Codex (`~/.codex/sessions/.../rollout-TIME-ID.jsonl`): lines of `{timestamp, type, payload}`, in versions before
 * 0.2 the bare items of the Responses API. The items between two inputs are one reply.
 */
export function readCodexSession(file: string, text: string): Conversation {
  const untaken = untakenCounts()
  const writer = stepWriter()
  const about = { id: /([0-9a-f-]{36})\.jsonl$/i.exec(file)?.[1] ?? "", cwd: null as string | null, model: "unknown" }
  for (const line of linesOf(text, () => untaken.add("invalid lines"))) {
    const payload = isRecord(line["payload"]) ? line["payload"] : line
    const type = isRecord(line["payload"]) ? String(line["type"]) : bareType(line)
    writer.at(line["timestamp"] ?? payload["timestamp"])
    if (type === "session_meta") {
      about.id = stringOf(payload["id"]) ?? about.id
      about.cwd = stringOf(payload["cwd"]) ?? about.cwd
    } else if (type === "turn_context") {
      about.cwd ??= stringOf(payload["cwd"])
      about.model = stringOf(payload["model"]) ?? about.model
    } else if (type === "response_item") readItem(payload, writer, about.model, untaken)
    else if (type === "compacted") writer.summary(stringOf(payload["message"]) ?? "")
    else if (type === "event_msg") readEvent(payload, writer, untaken)
    else untaken.add(`lines of type ${type}`)
  }
  writer.end()
  return { id: about.id, file, cwd: about.cwd, title: null, steps: writer.steps, untaken: untaken.counts }
}

/** Older rollouts begin with their meta data, without a type. */
function bareType(line: JsonObject): string {
  if (line["record_type"] === "state") return "state"
  return line["type"] === undefined ? "session_meta" : "response_item"
}

interface StepWriter {
  readonly steps: Step[]
  at(time: unknown): void
  user(content: readonly UserContent[]): void
  block(block: AssistantContent, model: string): void
  result(id: string, content: readonly UserContent[], isError: boolean): void
  usage(usage: Usage): void
  /** A summary begins a new branch. */
  summary(text: string): void
  /** The last turns were undone: what follows branches before them. */
  back(turns: number): void
  end(): void
}

function stepWriter(): StepWriter {
  const steps: Step[] = []
  const names = new Map<string, string>()
  let parent: string | null = null
  let time = new Date(0).toISOString()
  let open: { content: AssistantContent[]; model: string; usage: Usage } | null = null
  /** Index of the last reply, for usage that follows it. */
  let lastReply = -1

  function push(message: Step["message"]): void {
    const key = `${steps.length}`
    steps.push({ key, parent, time, message })
    parent = key
  }

  function end(): void {
    if (open === null) return
    const model = { provider: "openai", id: open.model, api: "openai-responses" }
    const { content, usage } = open
    open = null
    lastReply = steps.length
    push(replyOf({ model, content, usage }))
  }

  return {
    steps,
    at: (value) => void (time = timeOf(value, time)),
    user(content) {
      end()
      push({ role: "user", content })
    },
    block(block, model) {
      open ??= { content: [], model, usage: noUsage }
      open.content.push(block)
      if (block.type === "tool_call") names.set(block.id, block.name)
    },
    result(id, content, isError) {
      end()
      push(resultOf({ id, name: names.get(id) ?? "unknown", content, isError }))
    },
    usage(usage) {
      const step = steps[lastReply]
      if (open !== null) open.usage = usage
      else if (step?.message.role === "assistant") steps[lastReply] = { ...step, message: { ...step.message, usage } }
    },
    summary(text) {
      end()
      if (text === "") return
      parent = null
      push({ role: "user", content: [textBlock(text)] })
    },
    back(turns) {
      end()
      const byKey = new Map(steps.map((step) => [step.key, step]))
      for (let left = turns; left > 0 && parent !== null;) {
        const step = byKey.get(parent)
        parent = step?.parent ?? null
        if (step?.message.role === "user") left -= 1
      }
    },
    end,
  }
}

/** Texts that Codex itself puts before the user's. */
const ownText = /^\s*(<environment_context>|<user_instructions>|<permissions|<INSTRUCTIONS>|# AGENTS\.md instructions)/

function readItem(item: JsonObject, writer: StepWriter, model: string, untaken: Untaken): void {
  const { type, role, content } = item
  switch (type) {
    case "message": {
      if (role === "assistant") {
        for (const { text } of listOf(content))
          if (typeof text === "string") writer.block({ type: "text", text }, model)
        return
      }
      const blocks = role === "user" ? inputContent(content, untaken) : []
      const said = blocks.filter((block) => block.type !== "text" || !ownText.test(block.text))
      if (said.length < blocks.length || role !== "user") untaken.add("texts of Codex itself")
      if (said.length > 0) writer.user(said)
      return
    }
    case "reasoning": {
      const text = listOf(item["summary"]).map((part) => stringOf(part["text"]) ?? "")
      if (item["encrypted_content"]) untaken.add("encrypted reasoning")
      if (text.some((part) => part !== "")) writer.block({ type: "thinking", text: text.join("\n\n") }, model)
      return
    }
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
      return writer.block(callOf(item), model)
    case "function_call_output":
    case "custom_tool_call_output":
      return readOutput(item, writer, untaken)
    default:
      untaken.add(`items of type ${String(type)}`)
  }
}

function callOf(item: JsonObject): AssistantContent {
  const { name, arguments: given, input, action } = item
  const id = stringOf(item["call_id"]) ?? stringOf(item["id"]) ?? ""
  if (typeof input === "string")
    return { type: "tool_call", id, name: stringOf(name) ?? "unknown", arguments: { input } }
  if (isRecord(action)) return { type: "tool_call", id, name: "shell", arguments: action }
  const args = typeof given === "string" ? parseJson(given) : given
  const call = { type: "tool_call", id, name: stringOf(name) ?? "unknown" } as const
  return isRecord(args) ? { ...call, arguments: args } : { ...call, arguments: {}, broken: String(given) }
}

/** The output is a text, a list of blocks, or an object; older shells wrote JSON with the exit code into the text. */
function readOutput(item: JsonObject, writer: StepWriter, untaken: Untaken): void {
  const id = stringOf(item["call_id"]) ?? ""
  const { output } = item
  if (Array.isArray(output)) return writer.result(id, inputContent(output, untaken), false)
  if (isRecord(output)) {
    const text = stringOf(output["content"]) ?? ""
    return writer.result(id, [textBlock(text)], output["success"] === false)
  }
  const wrapped = typeof output === "string" && output.startsWith('{"output"') ? parseJson(output) : undefined
  if (isRecord(wrapped) && typeof wrapped["output"] === "string") {
    const code = isRecord(wrapped["metadata"]) ? wrapped["metadata"]["exit_code"] : 0
    return writer.result(id, [textBlock(wrapped["output"])], typeof code === "number" && code !== 0)
  }
  writer.result(id, [textBlock(typeof output === "string" ? output : "")], false)
}

function inputContent(content: unknown, untaken: Untaken): readonly UserContent[] {
  return listOf(content).flatMap((block): readonly UserContent[] => {
    const { type, text, image_url: url } = block
    if (typeof text === "string") return text === "" ? [] : [textBlock(text)]
    const image = imageOf(isRecord(url) ? url["url"] : url)
    if (image === null) untaken.add(`blocks of type ${String(type)}`)
    return image === null ? [] : [image]
  })
}

function readEvent(event: JsonObject, writer: StepWriter, untaken: Untaken): void {
  const { type, info } = event
  if (type === "token_count") {
    const usage = isRecord(info) ? info["last_token_usage"] : undefined
    if (isRecord(usage)) writer.usage(usageOf(usage))
  } else if (type === "thread_rolled_back") writer.back(countOf(event["num_turns"]))
  // The same messages stand as items.
  else if (type !== "user_message" && type !== "agent_message" && type !== "agent_reasoning")
    untaken.add(`events of type ${String(type)}`)
}

function usageOf(usage: JsonObject): Usage {
  const cacheRead = countOf(usage["cached_input_tokens"])
  return {
    ...noUsage,
    input: Math.max(0, countOf(usage["input_tokens"]) - cacheRead),
    output: countOf(usage["output_tokens"]),
    cacheRead,
    reasoning: countOf(usage["reasoning_output_tokens"]),
  }
}
