import type { PartialUpdate } from "@gong/spec"
import type { OpenBlock } from "./assemble-reply.ts"

/** State for parsing reasoning in tags. */
export interface TaggedState {
  readonly blocks: OpenBlock[]
  /** The text being read; null for none. */
  tags: Tags | null
}

/** Position in a text that may begin with reasoning in `<thinking>` tags, or `<think>` as local models write it. */
export interface Tags {
  position: "before" | "opened" | "inside" | "closed" | "after"
  /** Undecided text: a possible beginning of a tag, or white space next to one. */
  held: string
  close: string
}

/**
 * Adds text to a reply, with reasoning in tags as thinking blocks (contract C-69). Only tags at the very beginning count: later
 * ones may be an answer about such tags.
 */
export function addTagged(state: TaggedState, text: string, partials: PartialUpdate[]): void {
  state.tags ??= { position: "before", held: "", close: "" }
  read(state, state.tags, text, false, partials)
}

/** The end of the text, at another block or at the end of the reply. */
export function endTagged(state: TaggedState, partials: PartialUpdate[]): void {
  if (state.tags !== null) read(state, state.tags, "", true, partials)
  state.tags = null
}

function read(state: TaggedState, tags: Tags, text: string, last: boolean, partials: PartialUpdate[]): void {
  if (tags.position === "after") return add(state, "text", text, partials)
  tags.held += text
  if (tags.position === "before" && !decideOpening(tags, last)) return
  add(state, "thinking", reasoningIn(tags, last), partials)
  add(state, "text", answerIn(tags), partials)
}

const names = ["thinking", "think"]

/** False while it is undecided whether the text begins with a tag. */
function decideOpening(tags: Tags, last: boolean): boolean {
  const begun = tags.held.trimStart()
  const name = names.find((one) => begun.startsWith(`<${one}>`))
  if (name !== undefined) {
    tags.close = `</${name}>`
    moveTo(tags, "opened", begun.slice(name.length + 2))
    return true
  }
  if (!last && names.some((one) => `<${one}>`.startsWith(begun))) return false
  tags.position = "after"
  return true
}

/** The decided part of the reasoning; empty after its end. */
function reasoningIn(tags: Tags, last: boolean): string {
  if (tags.position !== "opened" && tags.position !== "inside") return ""
  const text = tags.position === "opened" ? tags.held.trimStart() : tags.held
  const end = text.indexOf(tags.close)
  if (end >= 0) {
    moveTo(tags, "closed", text.slice(end + tags.close.length))
    return text.slice(0, end).trimEnd()
  }
  const kept = last ? 0 : undecidedLength(text, tags.close)
  moveTo(tags, text === "" ? "opened" : "inside", text.slice(text.length - kept))
  return text.slice(0, text.length - kept)
}

/** The text after the reasoning, from its first non-space character on, or all text without reasoning. */
function answerIn(tags: Tags): string {
  if (tags.position !== "closed" && tags.position !== "after") return ""
  const words = tags.position === "closed" ? tags.held.trimStart() : tags.held
  moveTo(tags, words === "" ? tags.position : "after", "")
  return words
}

/** Number of trailing characters that are white space, a part of the closing tag, or both. */
function undecidedLength(text: string, close: string): number {
  const bracket = text.lastIndexOf("<")
  const tag = bracket >= 0 && close.startsWith(text.slice(bracket)) ? bracket : text.length
  return text.length - text.slice(0, tag).trimEnd().length
}

function moveTo(tags: Tags, position: Tags["position"], held: string): void {
  tags.position = position
  tags.held = held
}

function add({ blocks }: TaggedState, type: "text" | "thinking", delta: string, partials: PartialUpdate[]): void {
  if (delta === "") return
  const last = blocks.at(-1)
  if (last?.type === type && !("signature" in last)) last.text += delta
  else blocks.push({ type, text: delta })
  partials.push({ type, index: blocks.length - 1, delta })
}
