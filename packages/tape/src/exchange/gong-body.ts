import { type EntryBody, type EntryType, isRecord, type JsonSchema, plainlyFits } from "@gong/spec"

type Fields = Readonly<Record<string, JsonSchema>>

const text = { type: "string" }
const number = { type: "number" }
const listOf = (items: JsonSchema): JsonSchema => ({ type: "array", items })
const fields = (required: Fields, optional: Fields = {}): JsonSchema => ({
  type: "object",
  properties: { ...required, ...optional },
  required: Object.keys(required),
})

const failure = fields({ kind: text, message: text, retryable: { type: "boolean" } })
const usage = fields({ input: number, output: number, cacheRead: number, cacheWrite: number, reasoning: number })
const image = fields({ type: text, mimeType: text, data: text })
const file = fields({ path: text, change: text, added: number, removed: number })
const skill = fields({ id: text, line: text })
const carried = fields(
  { read: listOf(text), changed: listOf(text), skills: listOf(text) },
  { todo: text, request: text },
)

/** The fields that folds read of entries that a Pi file only wraps. */
const shapes: Partial<Record<EntryType, JsonSchema>> = {
  input: fields({ kind: text, text, source: text }, { images: listOf(image), seen: listOf(fields({ path: text })) }),
  input_drop: fields({ inputId: text, reason: text }),
  tool_start: fields({ callId: text, name: text, title: text }, { arguments: fields({}) }),
  run_end: fields({ status: text, turns: number }, { failure, limit: text }),
  change: fields({ callId: text, path: text }, { before: text, after: text, beforeText: text, file }),
  prompt: fields({ artifact: text }),
  model_call: fields({ purpose: text, usage }, { cost: number, costCny: number, model: text, failure }),
  prune: fields(
    { chars: number, tokensBefore: number, tokensAfter: number },
    { upTo: text, whole: listOf(text), skills: listOf(skill) },
  ),
  anchor: fields({ name: text, seq: number }, { summary: text }),
  custom: fields({ customType: text }),
}
const nullable = new Set(["before", "after", "upTo", "cost", "todo", "request"])

/** Types with their own form in a Pi file, which are never wrapped. */
const unwrapped: ReadonlySet<string> = new Set<EntryType>([
  "message",
  "compaction",
  "thinking_level_change",
  "model_change",
  "branch_summary",
  "custom_message",
  "label",
  "session_info",
])

/**
 * The body of a wrapped entry of Gong; null when required fields are missing. Unknown types are kept as they are. The author of
 * the file may have invented a change, so changes are marked as imported, and undo ignores them.
 */
export function gongBody(type: string, body: Readonly<Record<string, unknown>>): EntryBody | null {
  const shape = Object.hasOwn(shapes, type) ? shapes[type as EntryType] : undefined
  if (unwrapped.has(type) || (shape !== undefined && !fits(shape, body))) return null
  return { type, ...body, ...(type === "change" ? { imported: true } : {}) } as unknown as EntryBody
}

/** Gong's own fields of a compaction; invalid ones are left out. */
export function gongFieldsOfCompaction(own: Readonly<Record<string, unknown>>): object {
  const shape: Fields = { tokensAfter: number, reason: text, carried, callIds: listOf(text) }
  return Object.fromEntries(
    Object.entries(own).filter(([key, value]) => Object.hasOwn(shape, key) && fits(shape[key], value)),
  )
}

function fits(shape: JsonSchema | undefined, value: unknown): boolean {
  if (!isRecord(value)) return plainlyFits(shape, value)
  const present = Object.entries(value).filter(([key, field]) => field !== null || !nullable.has(key))
  return plainlyFits(shape, Object.fromEntries(present))
}
