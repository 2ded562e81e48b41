import { createHash } from "node:crypto"
import { type AssistantContent, isRecord, noUsage, parseJson, type Usage, type UserContent } from "@gong/spec"
import { basename, dirname, join } from "node:path"
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
import { jsonOf, linesOf, listOf, textOf } from "./files.ts"

/**
 * A conversation of Gemini CLI below `~/.gemini/tmp/PROJECT`: `chats/session-*.json` (one object), `chats/session-*.jsonl` (a
 * message per line, with `$set` and `$rewindTo`), or `checkpoint-TAG.json` of `/chat save` (the API's history). Null if it is
 * one of a sub-agent or none.
 */
export function readGeminiSession(file: string, text: string, cwd: string | null): Conversation | null {
  const untaken = untakenCounts()
  const whole = parseJson(text)
  if (basename(file).startsWith("checkpoint")) {
    const history = isRecord(whole) ? whole["history"] : whole
    const id = `gemini-${createHash("sha256").update(file).digest("hex").slice(0, 16)}`
    const title = basename(file, ".json").replace(/^checkpoint-?/, "")
    return { id, file, cwd, title, steps: historySteps(listOf(history), untaken), untaken: untaken.counts }
  }
  const read = isRecord(whole) && Array.isArray(whole["messages"]) ? whole : lineRecord(text, untaken)
  const id = stringOf(read["sessionId"])
  if (id === null || read["kind"] === "subagent") return null
  const writer = stepWriter(untaken)
  for (const record of listOf(read["messages"])) writer.add(record)
  return { id, file, cwd, title: stringOf(read["summary"]), steps: writer.steps, untaken: untaken.counts }
}

/** The folder of a project: it is named by a file, by a list of projects, or only by its hash. */
export function geminiFolderOf(file: string, home: string, folders: readonly string[]): string | null {
  const parent = dirname(file)
  const project = basename(parent) === "chats" ? dirname(parent) : parent
  const named = textOf(join(project, ".project_root"))?.trim()
  if (named) return named
  const list = jsonOf(join(home, "projects.json"))
  const projects = isRecord(list) && isRecord(list["projects"]) ? Object.entries(list["projects"]) : []
  const listed = projects.find(([, slug]) => slug === basename(project))
  if (listed !== undefined) return listed[0]
  const hash = (folder: string) => createHash("sha256").update(folder).digest("hex")
  return (
    [...projects.map(([folder]) => folder), ...folders].find((folder) => hash(folder) === basename(project)) ?? null
  )
}

/** The lines as one object. A message may be written again with the same id; the last one counts. */
function lineRecord(text: string, untaken: Untaken): JsonObject {
  const messages: JsonObject[] = []
  let about: JsonObject = {}
  for (const line of linesOf(text, () => untaken.add("invalid lines"))) {
    if (typeof line["$rewindTo"] === "string") messages.push(line)
    else if (isRecord(line["$set"])) about = { ...about, ...line["$set"] }
    else if (typeof line["id"] === "string") {
      const at = messages.findLastIndex(({ id }) => id === line["id"])
      if (at >= 0) messages[at] = line
      else messages.push(line)
    } else if (typeof line["sessionId"] === "string") about = { ...about, ...line }
  }
  const whole = listOf(about["messages"])
  return { ...about, messages: whole.length > 0 ? whole : messages }
}

function stepWriter(untaken: Untaken) {
  const steps: Step[] = []
  let parent: string | null = null
  let time = new Date(0).toISOString()
  /** Parent of the first step of each message. */
  const before = new Map<string, string | null>()

  function push(key: string, message: Step["message"]): void {
    steps.push({ key, parent, time, message })
    parent = key
  }

  function addReply(id: string, record: JsonObject): void {
    const thoughts = listOf(record["thoughts"]).map(({ subject, description }) =>
      [stringOf(subject), stringOf(description)].filter((text) => text !== null).join("\n"),
    )
    const calls = listOf(record["toolCalls"])
    const said = partsOf(record["content"], untaken).flatMap((part): AssistantContent[] =>
      part.type === "text" ? [part] : [],
    )
    const content: AssistantContent[] = [
      ...thoughts.map((text) => ({ type: "thinking", text }) as const),
      ...said,
      ...calls.map((call) => callOf(call["id"], call["name"], call["args"])),
    ]
    if (content.length === 0) return
    const model = { provider: "google", id: stringOf(record["model"]) ?? "unknown", api: "google-generative-ai" }
    push(id, replyOf({ model, content, usage: usageOf(record["tokens"]) }))
    for (const call of calls) {
      const blocks = resultBlocks(call["result"], untaken)
      if (blocks.length === 0) continue
      const isError = call["status"] === "error"
      push(
        `${id}/${String(call["id"])}`,
        resultOf({ id: String(call["id"]), name: stringOf(call["name"]) ?? "unknown", content: blocks, isError }),
      )
    }
  }

  return {
    steps,
    add(record: JsonObject): void {
      const target = stringOf(record["$rewindTo"])
      if (target !== null) {
        parent = before.get(target) ?? null
        return
      }
      const id = String(record["id"])
      time = timeOf(record["timestamp"], time)
      before.set(id, parent)
      if (record["type"] === "gemini") return addReply(id, record)
      const content = record["type"] === "user" ? partsOf(record["content"], untaken) : []
      if (content.length > 0) push(id, { role: "user", content })
      if (record["type"] !== "user") untaken.add(`messages of type ${String(record["type"])}`)
    },
  }
}

/** A history of the API: roles `user` and `model`, with calls and results as parts. */
function historySteps(history: readonly JsonObject[], untaken: Untaken): readonly Step[] {
  const steps: Step[] = []
  const ids: string[] = []
  const push = (message: Step["message"]): void => {
    const key = `${steps.length}`
    steps.push({ key, parent: steps.at(-1)?.key ?? null, time: new Date(0).toISOString(), message })
  }
  for (const { role, parts } of history) {
    const all = listOf(parts)
    if (role === "model") {
      const content = all.flatMap((part): AssistantContent[] => {
        const { functionCall: call, text, thought } = part
        if (isRecord(call)) {
          const id = stringOf(call["id"]) ?? `call-${steps.length}-${ids.length}`
          ids.push(id)
          return [callOf(id, call["name"], call["args"])]
        }
        if (typeof text !== "string" || text === "") return []
        return [{ type: thought === true ? "thinking" : "text", text }]
      })
      const model = { provider: "google", id: "unknown", api: "google-generative-ai" }
      if (content.length > 0) push(replyOf({ model, content }))
      continue
    }
    for (const { functionResponse: response } of all) {
      if (!isRecord(response)) continue
      const id = stringOf(response["id"]) ?? ids[0] ?? "unknown"
      ids.splice(0, ids.indexOf(id) + 1)
      push(resultOf({ id, name: stringOf(response["name"]) ?? "unknown", content: responseBlocks(response) }))
    }
    const said = partsOf(
      all.filter((part) => !("functionResponse" in part)),
      untaken,
    )
    if (said.length > 0) push({ role: "user", content: said })
  }
  return steps
}

function callOf(id: unknown, name: unknown, args: unknown): AssistantContent {
  return { type: "tool_call", id: String(id), name: stringOf(name) ?? "unknown", arguments: isRecord(args) ? args : {} }
}

/** A string, a part, or a list of both. */
function partsOf(content: unknown, untaken: Untaken): readonly UserContent[] {
  const parts = Array.isArray(content) ? content : [content]
  return parts.flatMap((part): readonly UserContent[] => {
    const text = isRecord(part) ? part["text"] : part
    if (typeof text === "string") return text === "" ? [] : [textBlock(text)]
    const image = isRecord(part) ? part["inlineData"] : undefined
    if (isRecord(image) && typeof image["data"] === "string" && String(image["mimeType"]).startsWith("image/"))
      return [{ type: "image", mimeType: String(image["mimeType"]), data: image["data"] }]
    if (isRecord(part)) untaken.add(`parts of type ${Object.keys(part)[0] ?? "none"}`)
    return []
  })
}

function resultBlocks(result: unknown, untaken: Untaken): readonly UserContent[] {
  const parts = Array.isArray(result) ? result : [result]
  return parts.flatMap((part): readonly UserContent[] => {
    const response = isRecord(part) ? part["functionResponse"] : undefined
    if (isRecord(response)) return responseBlocks(response)
    return part === null || part === undefined ? [] : partsOf(part, untaken)
  })
}

function responseBlocks({ response }: JsonObject): readonly UserContent[] {
  if (!isRecord(response)) return [textBlock("")]
  const text = stringOf(response["output"]) ?? stringOf(response["error"]) ?? JSON.stringify(response)
  return [textBlock(text)]
}

function usageOf(tokens: unknown): Usage {
  if (!isRecord(tokens)) return noUsage
  const cacheRead = countOf(tokens["cached"])
  const reasoning = countOf(tokens["thoughts"])
  return {
    ...noUsage,
    input: Math.max(0, countOf(tokens["input"]) - cacheRead),
    output: countOf(tokens["output"]) + reasoning,
    cacheRead,
    reasoning,
  }
}
