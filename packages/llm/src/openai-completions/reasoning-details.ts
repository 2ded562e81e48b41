import { type PartialUpdate, isRecord, maxWrappedDepth, parseJson } from "@gong/spec"
import type { OpenBlock } from "../protocol/reply/assemble-reply.ts"

/**
 * `reasoning_details`, as OpenRouter sends what a model thought: words, summaries and sealed parts, in pieces. They go
 * back as they came, or the models behind it refuse their own calls (openrouter.ai/docs, "Preserving reasoning").
 */
export type Detail = Readonly<Record<string, unknown>>

type Thinking = Extract<OpenBlock, { readonly type: "thinking" }>

/** A thought that came as details, and all of it but its words. */
export interface ReasoningBlock {
  readonly block: Thinking
  /** Of the block. */
  readonly index: number
  fields: Detail
}

/** What of a reply its thoughts are added to. */
export interface ReasoningState {
  readonly blocks: OpenBlock[]
  readonly details: ReasoningBlock[]
}

/** Where the words of a kind stand; what is sealed has none. */
const textFields: ReadonlyMap<unknown, string> = new Map([
  ["reasoning.text", "text"],
  ["reasoning.summary", "summary"],
])

/** Adds the details of one piece; true when there were words in them, which stand a second time beside them. */
export function addReasoningDetails(
  state: ReasoningState,
  given: readonly unknown[],
  partials: PartialUpdate[],
): boolean {
  let hasText = false
  for (const piece of given) {
    if (!isRecord(piece) || typeof piece["type"] !== "string") continue
    const { [textFields.get(piece["type"]) ?? ""]: said, ...fields } = piece
    const delta = typeof said === "string" ? said : ""
    const last = state.details.at(-1)
    const current = last && continues(last.fields, fields) ? last : begin(state, fields)
    current.fields = merged(current.fields, fields)
    if (delta === "") continue
    hasText = true
    current.block.text += delta
    partials.push({ type: "thinking", index: current.index, delta })
  }
  return hasText
}

/** Words come in pieces of one kind and one number; what is sealed comes whole. */
function continues(before: Detail, { type, index }: Detail): boolean {
  if (!textFields.has(type) || before["type"] !== type) return false
  return index === undefined || before["index"] === undefined || before["index"] === index
}

function begin({ blocks, details }: ReasoningState, fields: Detail): ReasoningBlock {
  const block: Thinking = { type: "thinking", text: "", ...(textFields.has(fields["type"]) ? {} : { redacted: true }) }
  const current = { block, index: blocks.push(block) - 1, fields }
  details.push(current)
  return current
}

/** A signature, an id and the like may come with any piece, and null where they do not. */
function merged(before: Detail, fields: Detail): Detail {
  return { ...before, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) }
}

/** All of a detail but its words becomes the signature of its thought. */
export function setSignatures({ details }: ReasoningState): void {
  for (const { block, fields } of details) block.signature = JSON.stringify(fields)
}

/** The detail that a thought was, or null when it was none. */
export function reasoningDetailOf({
  text,
  signature,
}: {
  readonly text: string
  readonly signature: string
}): Detail | null {
  // A tape may have been made by somebody else.
  const fields = signature.startsWith("{") ? parseJson(signature, maxWrappedDepth) : null
  if (!isRecord(fields) || typeof fields["type"] !== "string") return null
  const field = textFields.get(fields["type"])
  return field === undefined ? fields : { ...fields, [field]: text }
}
