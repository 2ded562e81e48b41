import { type Draft, isRecord } from "@gong/spec"
import type { OpenBlock } from "../wire/close-reply.ts"

/**
 * `reasoning_details`, as OpenRouter sends what a model thought: words, summaries and sealed parts, in pieces. They go
 * back as they came, or the models behind it refuse their own calls (openrouter.ai/docs, "Preserving reasoning").
 */
export type Detail = Readonly<Record<string, unknown>>

type Thinking = Extract<OpenBlock, { readonly type: "thinking" }>

/** What of a reply its thoughts are added to. */
export interface Thoughts {
  readonly blocks: OpenBlock[]
  /** The thoughts that came as details, and all of each but its words. */
  readonly details: Map<Thinking, Detail>
}

/** Where the words of a kind stand. */
const words: Readonly<Record<string, string>> = { "reasoning.text": "text", "reasoning.summary": "summary" }

/** Adds the details of one piece; true when there were words in them, which stand a second time beside them. */
export function addDetails(state: Thoughts, given: unknown, drafts: Draft[]): boolean {
  if (!Array.isArray(given)) return false
  let spoke = false
  for (const piece of given) {
    if (!isRecord(piece) || typeof piece["type"] !== "string") continue
    const { [words[piece["type"]] ?? ""]: said, ...fields } = piece
    const delta = typeof said === "string" ? said : ""
    const block = goesOn(state, fields) ?? begun(state, fields)
    state.details.set(block, joined(state.details.get(block), fields))
    if (delta === "") continue
    spoke = true
    block.text += delta
    drafts.push({ type: "thinking", index: state.blocks.indexOf(block), delta })
  }
  return spoke
}

/** Words come in pieces of one kind and one number; what is sealed comes whole. */
function goesOn({ details }: Thoughts, { type, index }: Detail): Thinking | null {
  const [block, last] = [...details].at(-1) ?? []
  if (block === undefined || last === undefined || !Object.hasOwn(words, String(type))) return null
  const isSame =
    last["type"] === type && (index === undefined || last["index"] === undefined || last["index"] === index)
  return isSame ? block : null
}

function begun({ blocks }: Thoughts, { type }: Detail): Thinking {
  const hidden = Object.hasOwn(words, String(type)) ? {} : { redacted: true }
  const block: Thinking = { type: "thinking", text: "", ...hidden }
  blocks.push(block)
  return block
}

/** A signature, an id and the like may come with any piece, and null where they do not. */
function joined(before: Detail | undefined, fields: Detail): Detail {
  if (before === undefined) return fields
  return { ...before, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) }
}

/** All of a detail but its words becomes the signature of its thought. */
export function sealDetails({ details }: Thoughts): void {
  for (const [block, fields] of details) block.signature = JSON.stringify(fields)
}

/** The detail that a thought was, or null when it was none. */
export function detailOf({ text, signature }: { readonly text: string; readonly signature: string }): Detail | null {
  const fields = signature.startsWith("{") ? parsed(signature) : null
  if (!isRecord(fields) || typeof fields["type"] !== "string") return null
  const place = words[fields["type"]]
  return place === undefined ? fields : { ...fields, [place]: text }
}

/** A tape may have been made by somebody else. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
