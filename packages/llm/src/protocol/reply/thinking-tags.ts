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
  place: "before" | "opened" | "inside" | "closed" | "after"
  /** Undecided text: a possible beginning of a tag, or white space next to one. */
  held: string
  close: string
}

/**
 * Adds text to a reply, with reasoning in tags as thinking blocks (contract C-69). Only tags at the very beginning count: later
 * ones may be an answer about such tags.
 */
export function addTagged(state: TaggedState, text: string, partials: PartialUpdate[]): void {
  state.tags ??= { place: "before", held: "", close: "" }
  read(state, state.tags, text, false, partials)
}

/** The end of the text, at another block or at the end of the reply. */
export function endTagged(state: TaggedState, partials: PartialUpdate[]): void {
  if (state.tags !== null) read(state, state.tags, "", true, partials)
  state.tags = null
}

function read(state: TaggedState, tags: Tags, text: string, last: boolean, partials: PartialUpdate[]): void {
  if (tags.place === "after") return add(state, "text", text, partials)
  tags.held += text
  if (tags.place === "before" && !opened(tags, last)) return
  add(state, "thinking", thoughtIn(tags, last), partials)
  add(state, "text", wordsIn(tags), partials)
}

const names = ["thinking", "think"]

/** False while it is undecided whether the text begins with a tag. */
function opened(tags: Tags, last: boolean): boolean {
  const begun = tags.held.trimStart()
  const name = names.find((one) => begun.startsWith(`<${one}>`))
  if (name !== undefined) {
    tags.close = `</${name}>`
    enter(tags, "opened", begun.slice(name.length + 2))
    return true
  }
  if (!last && names.some((one) => `<${one}>`.startsWith(begun))) return false
  tags.place = "after"
  return true
}

/** The decided part of the reasoning; empty after its end. */
function thoughtIn(tags: Tags, last: boolean): string {
  if (tags.place !== "opened" && tags.place !== "inside") return ""
  const text = tags.place === "opened" ? tags.held.trimStart() : tags.held
  const end = text.indexOf(tags.close)
  if (end >= 0) {
    enter(tags, "closed", text.slice(end + tags.close.length))
    return text.slice(0, end).trimEnd()
  }
  const kept = last ? 0 : openEnd(text, tags.close)
  enter(tags, text === "" ? "opened" : "inside", text.slice(text.length - kept))
  return text.slice(0, text.length - kept)
}

/** The text after the reasoning, from its first non-space character on, or all text without reasoning. */
function wordsIn(tags: Tags): string {
  if (tags.place !== "closed" && tags.place !== "after") return ""
  const words = tags.place === "closed" ? tags.held.trimStart() : tags.held
  enter(tags, words === "" ? tags.place : "after", "")
  return words
}

/** Number of trailing characters that are white space, a part of the closing tag, or both. */
function openEnd(text: string, close: string): number {
  const bracket = text.lastIndexOf("<")
  const tag = bracket >= 0 && close.startsWith(text.slice(bracket)) ? bracket : text.length
  return text.length - text.slice(0, tag).trimEnd().length
}

function enter(tags: Tags, place: Tags["place"], held: string): void {
  tags.place = place
  tags.held = held
}

function add({ blocks }: TaggedState, type: "text" | "thinking", delta: string, partials: PartialUpdate[]): void {
  if (delta === "") return
  const last = blocks.at(-1)
  if (last?.type === type && !("signature" in last)) last.text += delta
  else blocks.push({ type, text: delta })
  partials.push({ type, index: blocks.length - 1, delta })
}
