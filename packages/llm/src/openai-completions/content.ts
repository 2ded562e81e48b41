import { isRecord } from "@gong/spec"
import type { HistoryBlock } from "../protocol/request/history.ts"

/** Signature of reasoning that Mistral sent as a part of `content`; it is sent back as one. */
export const thinkingInContent = "content"

interface Part {
  readonly type: "text" | "thinking"
  /** Not empty. */
  readonly text: string
}

/** Text and reasoning of a message's `content`, which is a string, a list of parts, or null; other parts are skipped. */
export function partsOf(content: unknown): readonly Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }]
  if (!Array.isArray(content)) return []
  return content.filter(isRecord).flatMap((part) => {
    const type = part["type"] === "thinking" ? "thinking" : "text"
    const text = type === "thinking" ? wordsOf(part["thinking"]) : part["text"]
    return typeof text === "string" && text !== "" ? [{ type, text }] : []
  })
}

/** The text chunks of a reasoning part; references have no text. */
function wordsOf(chunks: unknown): string {
  if (typeof chunks === "string") return chunks
  return partsOf(chunks)
    .map(({ text }) => text)
    .join("")
}

/** The `content` of an assistant message: a string, or with reasoning an ordered list; empty without either. */
export function contentOf(blocks: readonly HistoryBlock[]): string | readonly object[] {
  const text = blocks.filter((block) => block.type === "text").map((block) => block.text)
  if (!blocks.some(isThought)) return text.join("\n")
  return blocks.flatMap((block): object[] => {
    if (block.type === "text") return [{ type: "text", text: block.text }]
    return isThought(block) ? [{ type: "thinking", thinking: [{ type: "text", text: block.text }] }] : []
  })
}

function isThought(block: HistoryBlock): block is Extract<HistoryBlock, { readonly type: "thinking" }> {
  return block.type === "thinking" && block.signature === thinkingInContent && block.text.trim() !== ""
}
