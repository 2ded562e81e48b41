import type { AssistantContent, Entry, Message, TapeInfo } from "@gong/spec"
import { isRecord, totalTokens } from "@gong/spec"
import { piStopReason } from "./pi.ts"

/**
 * A session as the lines of a Pi file, version 3. Entries with an equivalent in Pi take its form, with Gong's own fields under
 * `gong`; every other entry is wrapped as `custom` of type `gong.<type>`, which Pi keeps and does not show.
 */
export function* toPi(info: TapeInfo, entries: Iterable<Entry>): Generator<string> {
  const { id, created, host, cwd, workspace } = info
  yield JSON.stringify({ type: "session", version: 3, id, timestamp: created, cwd, gong: { host, workspace } })
  for (const entry of entries) yield JSON.stringify(piEntry(entry, id))
}

function piEntry(entry: Entry, session: string): object {
  const { id, parentId, type, timestamp, ...body } = entry
  const place = { id, parentId: parentId ?? session, timestamp }
  switch (entry.type) {
    case "message": {
      const message = piMessage(entry.message, Date.parse(timestamp))
      if (message === null) break
      const { inputId, draftId } = entry
      return { type, ...place, message, ...gong({ inputId, draftId }) }
    }
    case "compaction": {
      const { summary, firstKeptEntryId, tokensBefore, tokensAfter, reason, carried, callIds } = entry
      return {
        type,
        ...place,
        summary,
        firstKeptEntryId,
        tokensBefore,
        ...gong({ tokensAfter, reason, carried, callIds }),
      }
    }
    case "thinking_level_change":
    case "model_change":
    case "branch_summary":
    case "custom_message":
    case "label":
    case "session_info":
      return { type, ...place, ...body }
    case "custom": {
      // Unknown records of Pi are written as they were. Custom types with Gong's prefixes are wrapped, to tell them apart.
      const [, foreign] = /^pi\.(.+)$/.exec(entry.customType) ?? []
      if (foreign !== undefined && isBody(entry.data)) return { type: foreign, ...place, ...entry.data }
      if (!/^(?:gong|pi)\./.test(entry.customType)) return { type, ...place, ...body }
      break
    }
    case "change": {
      const { imported: _, ...own } = body as typeof entry
      return { type: "custom", ...place, customType: `gong.${type}`, data: own }
    }
    default:
      break
  }
  return { type: "custom", ...place, customType: `gong.${type}`, data: body }
}

/** Null for a message of another program that Pi could not read. */
function piMessage(message: Message, time: number): object | null {
  if (!Array.isArray(message.content)) return null
  const timestamp = Number.isNaN(time) ? 0 : time
  switch (message.role) {
    case "user":
      return { role: "user", content: message.content, timestamp }
    case "assistant": {
      const { model, usage, cost, stopReason, failure, durationMs, firstTokenMs } = message
      return {
        role: "assistant",
        content: message.content.map(piContent),
        api: model.api,
        provider: model.provider,
        model: model.id,
        usage: { ...usage, totalTokens: totalTokens(usage), cost: { ...noCost, total: cost ?? 0 } },
        stopReason: piStopReason[stopReason],
        ...(failure === undefined ? {} : { errorMessage: failure.message }),
        timestamp,
        ...gong({ failure, durationMs, firstTokenMs, ...(cost === null ? { cost } : {}) }),
      }
    }
    case "tool": {
      const { toolCallId, toolName, content, details, isError, status, files, durationMs } = message
      const result = { role: "toolResult", toolCallId, toolName, content, details, isError, timestamp }
      return { ...result, ...gong({ status, files, durationMs }) }
    }
    default:
      return null
  }
}

const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** JSON leaves out a missing signature. */
function piContent(block: AssistantContent): object {
  switch (block.type) {
    case "thinking": {
      const { type, text, signature, ...rest } = block
      return { type, thinking: text, thinkingSignature: signature, ...rest }
    }
    case "tool_call": {
      const { type: _, signature, ...rest } = block
      return { type: "toolCall", ...rest, thoughtSignature: signature }
    }
    default:
      return block
  }
}

/** Gong's own fields; nothing when all are missing. */
function gong(fields: Readonly<Record<string, unknown>>): { readonly gong?: object } {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined)
  return known.length === 0 ? {} : { gong: Object.fromEntries(known) }
}

/** Whether the data has no fields that would replace those of the entry. */
function isBody(data: unknown): data is object {
  return isRecord(data) && !["id", "parentId", "type", "timestamp"].some((key) => key in data)
}
