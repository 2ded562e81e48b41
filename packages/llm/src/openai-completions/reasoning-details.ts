import { type PartialUpdate, isRecord, maxWrappedDepth, parseJson } from "@gong/spec"
import type { OpenBlock } from "../protocol/reply/assemble-reply.ts"

/**
 * `reasoning_details` of OpenRouter: text, summaries and encrypted parts, streamed in pieces. They must be sent back
 * unchanged, or upstream models reject their own calls (openrouter.ai/docs, "Preserving reasoning").
 */
export type Detail = Readonly<Record<string, unknown>>

type Thinking = Extract<OpenBlock, { readonly type: "thinking" }>

/** A reasoning block from details, and all fields of the detail except its text. */
export interface ReasoningBlock {
  readonly block: Thinking
  /** Index of the block. */
  readonly index: number
  fields: Detail
}

/** The part of a reply's state for reasoning details. */
export interface ReasoningState {
  readonly blocks: OpenBlock[]
  readonly details: ReasoningBlock[]
}

/** The text field of each type; encrypted details have none. */
const textFields: ReadonlyMap<unknown, string> = new Map([
  ["reasoning.text", "text"],
  ["reasoning.summary", "summary"],
])

/** Adds the details of one delta; true if they contained text, which the delta repeats in another field. */
export function addReasoningDetails(
  state: ReasoningState,
  given: readonly unknown[],
  partials: PartialUpdate[],
): boolean {
  let hasText = false
  for (const piece of given) {
    if (!isRecord(piece) || typeof piece["type"] !== "string") continue
    const { [textFields.get(piece["type"]) ?? ""]: text, ...fields } = piece
    const delta = typeof text === "string" ? text : ""
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

/** Text is streamed in pieces of one type and index; an encrypted detail comes whole. */
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

/** A signature, an id or similar fields may come with any piece, and are null elsewhere. */
function merged(before: Detail, fields: Detail): Detail {
  return { ...before, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) }
}

/** Stores the fields of each detail, except its text, as the signature of its block. */
export function setSignatures({ details }: ReasoningState): void {
  for (const { block, fields } of details) block.signature = JSON.stringify(fields)
}

/** The detail of a reasoning block; null if it was none. */
export function reasoningDetailOf({
  text,
  signature,
}: {
  readonly text: string
  readonly signature: string
}): Detail | null {
  // The tape may come from another program.
  const fields = signature.startsWith("{") ? parseJson(signature, maxWrappedDepth) : null
  if (!isRecord(fields) || typeof fields["type"] !== "string") return null
  const field = textFields.get(fields["type"])
  return field === undefined ? fields : { ...fields, [field]: text }
}
