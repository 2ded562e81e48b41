import type { EntryBody, UserContent } from "@gong/spec"
import { isRecord, thinkingLevels } from "@gong/spec"
import { gongBody, gongFieldsOfCompaction } from "./gong-body.ts"
import { messageFromPi, userContent } from "./pi-message.ts"
import type { PiRecord } from "./pi.ts"

/** Gong's id for an id of the file; null when there is no such entry. */
export type Ours = (id: unknown) => string | null

/** A record of Pi as the body of an entry, or the reason why it has none. Unknown records are kept as they are. */
export function bodyFromPi(record: PiRecord, ours: Ours): EntryBody | string {
  const { type } = record
  if (typeof type !== "string" || type === "" || /["\\]/.test(type)) return "an entry without a type"
  switch (type) {
    case "message":
      return messageBody(record, ours)
    case "custom":
      return custom(record, ours)
    case "thinking_level_change": {
      const level = thinkingLevels.find((one) => one === record["thinkingLevel"])
      return level === undefined ? foreign(type, record) : { type, thinkingLevel: level }
    }
    case "model_change": {
      const { provider, modelId } = record
      return isText(provider) && isText(modelId) ? { type, provider, modelId } : `${type} without a model`
    }
    case "compaction": {
      const { summary, firstKeptEntryId: kept, tokensBefore: tokens } = record
      if (!isText(summary)) return `${type} without a summary`
      const tokensBefore = typeof tokens === "number" ? tokens : 0
      // Gong's own fields are restored.
      const own = isRecord(record["gong"]) ? gongFieldsOfCompaction(record["gong"]) : {}
      return { type, summary, firstKeptEntryId: ours(kept) ?? text(kept), tokensBefore, ...own }
    }
    case "branch_summary":
      return { type, fromId: ours(record["fromId"]) ?? text(record["fromId"]), summary: text(record["summary"]) }
    case "custom_message":
      return customMessage(record)
    case "label": {
      const label = record["label"]
      return {
        type,
        targetId: ours(record["targetId"]) ?? text(record["targetId"]),
        label: isText(label) ? label : null,
      }
    }
    case "session_info":
      return { type, name: text(record["name"]) }
    default:
      return foreign(type, record)
  }
}

function messageBody(record: PiRecord, ours: Ours): EntryBody | string {
  const { message } = record
  if (!isRecord(message)) return "a message without content"
  const found = messageFromPi(message)
  if (found === null) return foreign("message", record)
  if ("type" in found) return found
  const own = isRecord(record["gong"]) ? record["gong"] : {}
  const { inputId, draftId } = own
  return {
    type: "message",
    message: found,
    ...(isText(inputId) ? { inputId: ours(inputId) ?? inputId } : {}),
    ...(isText(draftId) ? { draftId } : {}),
  }
}

/** State of an extension, or a wrapped entry of Gong. */
function custom(record: PiRecord, ours: Ours): EntryBody | string {
  const { customType, data } = record
  if (!isText(customType)) return "custom without a customType"
  const [, own] = /^gong\.([^"\\]{1,64})$/.exec(customType) ?? []
  if (own === undefined || !isRecord(data)) return { type: "custom", customType, data: data ?? null }
  const { id: _, parentId: _p, type: _t, timestamp: _s, inputId, upTo, ...body } = data
  const pointed = {
    ...(isText(inputId) ? { inputId: ours(inputId) ?? inputId } : {}),
    ...(isText(upTo) ? { upTo: ours(upTo) ?? upTo } : {}),
  }
  return gongBody(own, { ...pointed, ...body }) ?? `${customType} without the fields of one`
}

function customMessage(record: PiRecord): EntryBody | string {
  const { customType, content, display, details } = record
  if (!isText(customType)) return "custom_message without a customType"
  const blocks: readonly UserContent[] = userContent(content)
  const shown = display === true
  return {
    type: "custom_message",
    customType,
    content: blocks,
    display: shown,
    ...(details === undefined ? {} : { details }),
  }
}

function foreign(type: string, { id: _, parentId: _p, type: _t, timestamp: _s, ...data }: PiRecord): EntryBody {
  return { type: "custom", customType: `pi.${type}`, data }
}

function isText(value: unknown): value is string {
  return typeof value === "string"
}

function text(value: unknown): string {
  return isText(value) ? value : ""
}
