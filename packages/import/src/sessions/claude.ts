import { type AssistantContent, isRecord, noUsage, type Usage, type UserContent } from "@gong/spec"
import { basename } from "node:path"
import type { JsonObject } from "../candidate.ts"
import {
  type Conversation,
  countOf,
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
 * A transcript of Claude Code (`~/.claude/projects/FOLDER/ID.jsonl`): a tree by `parentUuid`. A reply is written in several lines
 * with one `message.id`, a block in each; the result of each call follows the line of its call.
 */
export function readClaudeSession(file: string, text: string): Conversation {
  const untaken = untakenCounts()
  const tree = treeOf(untaken)
  const about: { cwd: string | null; title: string | null } = { cwd: null, title: null }
  for (const line of linesOf(text, () => untaken.add("invalid lines"))) {
    about.cwd ??= stringOf(line["cwd"])
    const title = stringOf(line["customTitle"]) ?? stringOf(line["aiTitle"]) ?? stringOf(line["summary"])
    if (title !== null && line["uuid"] === undefined) about.title = title
    tree.add(line)
  }
  return { id: basename(file, ".jsonl"), file, ...about, steps: tree.steps(), untaken: untaken.counts }
}

interface Tree {
  add(line: JsonObject): void
  steps(): readonly Step[]
}

/** Tags of lines that Claude Code writes for its own commands. */
const ownCommand = /^<(command-name|command-message|local-command-|bash-stdout|bash-stderr)/

function treeOf(untaken: Untaken): Tree {
  const steps: Step[] = []
  /** The step that stands for a line: of lines that were not taken, the one before them. */
  const stepAt = new Map<string, string | null>()
  /** Index of a reply's step by its `message.id`, and the last result of its calls. */
  const replies = new Map<string, number>()
  const lastResult = new Map<string, string>()
  const replyOfResult = new Map<string, string>()
  const callNames = new Map<string, string>()

  /** Results of parallel calls stand at different lines of one reply; here they follow each other. */
  function parentOf(line: JsonObject): string | null {
    const parent = stepAt.get(String(line["parentUuid"])) ?? null
    return parent === null ? null : (lastResult.get(replyOfResult.get(parent) ?? "") ?? parent)
  }

  function push(line: JsonObject, key: string, parent: string | null, message: Step["message"]): void {
    steps.push({ key, parent, time: timeOf(line["timestamp"], steps.at(-1)?.time ?? epoch), message })
  }

  function addReply(line: JsonObject, message: JsonObject): void {
    const uuid = String(line["uuid"])
    const id = stringOf(message["id"]) ?? uuid
    const content = contentOf(message["content"], untaken)
    for (const block of content) if (block.type === "tool_call") callNames.set(block.id, block.name)
    const at = replies.get(id)
    const known = at === undefined ? undefined : steps[at]
    if (at !== undefined && known?.message.role === "assistant") {
      const all = [...known.message.content, ...content]
      steps[at] = { ...known, message: replyFrom(message, all) }
      stepAt.set(uuid, known.key)
    } else {
      replies.set(id, steps.length)
      stepAt.set(uuid, uuid)
      push(line, uuid, parentOf(line), replyFrom(message, content))
    }
  }

  function addUser(line: JsonObject, message: JsonObject): void {
    const uuid = String(line["uuid"])
    const { content } = message
    const results = listOf(content).filter(({ type }) => type === "tool_result")
    let parent = parentOf(line)
    if (results.length > 0 && parent !== null) parent = lastResult.get(parent) ?? parent
    for (const [at, result] of results.entries()) {
      const id = String(result["tool_use_id"])
      const key = at === 0 ? uuid : `${uuid}/${at}`
      const reply = parent === null ? undefined : (replyOfResult.get(parent) ?? parent)
      const name = callNames.get(id) ?? "unknown"
      const isError = result["is_error"] === true
      push(line, key, parent, resultOf({ id, name, content: userContent(result["content"], untaken), isError }))
      if (reply !== undefined) {
        lastResult.set(reply, key)
        replyOfResult.set(key, reply)
      }
      parent = key
    }
    const said = saidIn(content, untaken)
    if (said.length > 0) {
      const key = results.length > 0 ? `${uuid}/said` : uuid
      push(line, key, parent, { role: "user", content: said })
      parent = key
    }
    stepAt.set(uuid, parent)
  }

  function add(line: JsonObject): void {
    const { type, uuid, message } = line
    const kind = typeof uuid !== "string" || !isRecord(message) ? untakenKind(line) : skippedKind(line, message)
    if (kind === null && isRecord(message)) {
      if (type === "assistant") addReply(line, message)
      else addUser(line, message)
      return
    }
    if (kind !== null && kind !== "") untaken.add(kind)
    if (typeof uuid === "string") stepAt.set(uuid, stepAt.get(String(line["parentUuid"])) ?? null)
  }

  return { add, steps: () => steps }
}

/** What the user said beside results. */
function saidIn(content: unknown, untaken: Untaken): readonly UserContent[] {
  const blocks = Array.isArray(content) ? listOf(content).filter(({ type }) => type !== "tool_result") : content
  return userContent(blocks, untaken)
}

const epoch = new Date(0).toISOString()

/** Kind of a line without a message; empty for one whose content was taken as the title. */
function untakenKind({ type }: JsonObject): string {
  if (type === "summary" || type === "custom-title" || type === "ai-title") return ""
  return typeof type === "string" ? `lines of type ${type}` : "lines without a type"
}

/** Why a message is not taken; null if it is. */
function skippedKind(line: JsonObject, message: JsonObject): string | null {
  const { type } = line
  if (type !== "user" && type !== "assistant") return untakenKind(line)
  if (line["isSidechain"] === true) return "messages of sub-agents"
  if (line["isMeta"] === true) return "notes for the model"
  if (line["isApiErrorMessage"] === true) return "errors of the API"
  const { content } = message
  const text = typeof content === "string" ? content : (stringOf(listOf(content)[0]?.["text"]) ?? "")
  return type === "user" && ownCommand.test(text) ? "commands of Claude Code" : null
}

function replyFrom(message: JsonObject, content: readonly AssistantContent[]): Step["message"] {
  const model = { provider: "anthropic", id: stringOf(message["model"]) ?? "unknown", api: "anthropic-messages" }
  return replyOf({ model, content, usage: usageOf(message["usage"]) })
}

function usageOf(value: unknown): Usage {
  if (!isRecord(value)) return noUsage
  return {
    ...noUsage,
    input: countOf(value["input_tokens"]),
    output: countOf(value["output_tokens"]),
    cacheRead: countOf(value["cache_read_input_tokens"]),
    cacheWrite: countOf(value["cache_creation_input_tokens"]),
  }
}

function contentOf(content: unknown, untaken: Untaken): readonly AssistantContent[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }]
  return listOf(content).flatMap((block): readonly AssistantContent[] => {
    const { type, text, thinking, signature, data, id, name, input } = block
    if (type === "text" && typeof text === "string") return [{ type, text }]
    if (type === "thinking") {
      const signed = typeof signature === "string" ? { signature } : {}
      return [{ type, text: stringOf(thinking) ?? "", ...signed }]
    }
    if (type === "redacted_thinking" && typeof data === "string")
      return [{ type: "thinking", text: "", signature: data, redacted: true }]
    if (type === "tool_use" && typeof id === "string")
      return [{ type: "tool_call", id, name: stringOf(name) ?? "unknown", arguments: isRecord(input) ? input : {} }]
    untaken.add(`blocks of type ${String(type)}`)
    return []
  })
}

function userContent(content: unknown, untaken: Untaken): readonly UserContent[] {
  if (typeof content === "string") return content === "" ? [] : [textBlock(content)]
  return listOf(content).flatMap((block): readonly UserContent[] => {
    const { type, text, source } = block
    if (type === "text" && typeof text === "string") return text === "" ? [] : [textBlock(text)]
    if (type === "image" && isRecord(source) && typeof source["data"] === "string")
      return [{ type, mimeType: stringOf(source["media_type"]) ?? "image/png", data: source["data"] }]
    untaken.add(`blocks of type ${String(type)}`)
    return []
  })
}
