import { isRecord, noUsage, parseJson, type Usage, type UserContent, type AssistantContent } from "@gong/spec"
import { existsSync } from "node:fs"
import { basename, join } from "node:path"
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
import { filesBelow, jsonOf } from "./files.ts"

/** The stored rows of one session of opencode. */
export interface OpencodeSession {
  readonly file: string
  readonly info: JsonObject
  /** In order, each with its parts in order. */
  readonly messages: readonly { readonly info: JsonObject; readonly parts: readonly JsonObject[] }[]
}

/** The sessions of opencode: in its database (`opencode.db`, since 1.2), or in JSON files below `storage`. */
export async function* opencodeSessions(
  folder: string,
  unreadable: (file: string) => void,
): AsyncGenerator<OpencodeSession> {
  const database = join(folder, "opencode.db")
  const seen = new Set<string>()
  try {
    if (existsSync(database))
      for await (const session of sessionsInDatabase(database)) {
        seen.add(String(session.info["id"]))
        yield session
      }
  } catch {
    unreadable(database)
  }
  const storage = join(folder, "storage")
  for (const file of filesBelow(join(storage, "session"), /\.json$/)) {
    const info = jsonOf(file)
    if (isRecord(info) && !seen.has(String(info["id"]))) yield sessionInFiles(storage, file, info)
  }
}

function sessionInFiles(storage: string, file: string, info: JsonObject): OpencodeSession {
  const id = basename(file, ".json")
  const messages = filesBelow(join(storage, "message", id), /\.json$/, 0).flatMap((path) => {
    const message = jsonOf(path)
    const parts = filesBelow(join(storage, "part", basename(path, ".json")), /\.json$/, 0).map(jsonOf)
    return isRecord(message) ? [{ info: message, parts: parts.filter(isRecord) }] : []
  })
  return { file, info, messages: messages.toSorted((a, b) => createdOf(a.info) - createdOf(b.info)) }
}

/** Ids ascend with time, and so do the creation times. */
function createdOf({ time }: JsonObject): number {
  return isRecord(time) ? countOf(time["created"]) : 0
}

async function* sessionsInDatabase(file: string): AsyncGenerator<OpencodeSession> {
  const { DatabaseSync } = await import("node:sqlite")
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const messages = database.prepare("SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id")
    const parts = database.prepare("SELECT data FROM part WHERE message_id = ? ORDER BY id")
    for (const row of database.prepare("SELECT * FROM session ORDER BY time_created, id").iterate()) {
      const { id, directory, title, parent_id: parentID, revert, time_created: created } = row
      const info = { id, directory, title, parentID, revert: dataOf(revert), time: { created } }
      yield {
        file,
        info,
        messages: messages.all(String(id)).flatMap((message) => {
          const data = dataOf(message["data"])
          const own = parts.all(String(message["id"])).map((part) => dataOf(part["data"]))
          return isRecord(data) ? [{ info: { ...data, id: message["id"] }, parts: own.filter(isRecord) }] : []
        }),
      }
    }
  } finally {
    database.close()
  }
}

function dataOf(value: unknown): unknown {
  return typeof value === "string" ? parseJson(value) : value
}

/** A session of opencode as a conversation; null for one of a sub-agent. */
export function readOpencodeSession({ file, info, messages }: OpencodeSession): Conversation | null {
  if (stringOf(info["parentID"]) !== null) return null
  const untaken = untakenCounts()
  const steps: Step[] = []
  const reverted = isRecord(info["revert"]) ? stringOf(info["revert"]["messageID"]) : null
  for (const message of messages) {
    if (reverted !== null && String(message.info["id"]) >= reverted) untaken.add("undone messages")
    else addMessage(steps, message, untaken)
  }
  const cwd = stringOf(info["directory"])
  return { id: String(info["id"]), file, cwd, title: stringOf(info["title"]), steps, untaken: untaken.counts }
}

function addMessage(steps: Step[], { info, parts }: OpencodeSession["messages"][number], untaken: Untaken): void {
  const id = String(info["id"])
  const time = timeOf(
    isRecord(info["time"]) ? info["time"]["created"] : null,
    steps.at(-1)?.time ?? new Date(0).toISOString(),
  )
  const push = (key: string, message: Step["message"], parent = steps.at(-1)?.key ?? null): void => {
    steps.push({ key, parent, time, message })
  }
  if (info["role"] === "user") {
    const content = parts.flatMap((part) => userBlocks(part, untaken))
    if (content.length > 0) push(id, { role: "user", content })
    return
  }
  // A summary replaces what was before it.
  if (info["summary"] === true) {
    const text = parts.flatMap((part) => (part["type"] === "text" ? [stringOf(part["text"]) ?? ""] : [])).join("\n")
    if (text !== "") push(id, { role: "user", content: [textBlock(text)] }, null)
    return
  }
  const content = parts.flatMap((part) => replyBlocks(part, untaken))
  if (content.length === 0) return
  const provider = stringOf(info["providerID"]) ?? "unknown"
  const model = {
    provider,
    id: stringOf(info["modelID"]) ?? "unknown",
    api: provider === "anthropic" ? "anthropic-messages" : "openai-completions",
  }
  const { error, cost } = info
  const aborted = isRecord(error) && error["name"] === "MessageAbortedError"
  push(
    id,
    replyOf({ model, content, usage: usageOf(info["tokens"]), cost: typeof cost === "number" ? cost : null, aborted }),
  )
  for (const part of parts) {
    const result = resultIn(part)
    if (result !== null) push(`${id}/${String(part["callID"])}`, result)
  }
}

function userBlocks(part: JsonObject, untaken: Untaken): readonly UserContent[] {
  const { type, text, url, ignored } = part
  if (type === "text" && ignored !== true) return typeof text === "string" && text !== "" ? [textBlock(text)] : []
  const image = type === "file" ? imageOf(url) : null
  if (image === null) untaken.add(`parts of type ${String(type)}`)
  return image === null ? [] : [image]
}

/** Parts that only describe others. */
const silent: ReadonlySet<unknown> = new Set(["step-start", "step-finish"])

function replyBlocks(part: JsonObject, untaken: Untaken): readonly AssistantContent[] {
  const { type, text, callID, tool, state } = part
  if (type === "text" && typeof text === "string") return text === "" ? [] : [{ type, text }]
  if (type === "reasoning" && typeof text === "string") return text === "" ? [] : [{ type: "thinking", text }]
  if (type === "tool" && typeof callID === "string") {
    const input = isRecord(state) && isRecord(state["input"]) ? state["input"] : {}
    return [{ type: "tool_call", id: callID, name: stringOf(tool) ?? "unknown", arguments: input }]
  }
  if (!silent.has(type)) untaken.add(`parts of type ${String(type)}`)
  return []
}

function resultIn({ type, callID, tool, state }: JsonObject): Step["message"] | null {
  if (type !== "tool" || typeof callID !== "string" || !isRecord(state)) return null
  const name = stringOf(tool) ?? "unknown"
  const { status, output, error, attachments } = state
  if (status === "error")
    return resultOf({ id: callID, name, content: [textBlock(stringOf(error) ?? "")], isError: true })
  if (status !== "completed") return null
  const images = Array.isArray(attachments)
    ? attachments.map((one) => (isRecord(one) ? imageOf(one["url"]) : null))
    : []
  const content = [textBlock(stringOf(output) ?? ""), ...images.filter((image) => image !== null)]
  return resultOf({ id: callID, name, content })
}

function usageOf(tokens: unknown): Usage {
  if (!isRecord(tokens)) return noUsage
  const cache = isRecord(tokens["cache"]) ? tokens["cache"] : {}
  const reasoning = countOf(tokens["reasoning"])
  return {
    input: countOf(tokens["input"]),
    output: countOf(tokens["output"]) + reasoning,
    cacheRead: countOf(cache["read"]),
    cacheWrite: countOf(cache["write"]),
    reasoning,
  }
}
