import { deepFreeze, type Message, skillTextIn, textOf, type ToolResultMessage, type UserContent } from "@gong/spec"

/** A result that is longer by at most this many characters does not change: the note about missing text needs space, too. */
const tolerance = 200

/**
 * A result with about `chars` characters of its text, half of them from its end, and without images. A short result is returned
 * as the same object, so that it is sent as the same bytes.
 */
export function shortened(message: ToolResultMessage, chars: number): ToolResultMessage {
  const text = textOf(message)
  const images = message.content.length - message.content.filter(({ type }) => type === "text").length
  if (images === 0 && text.length <= chars + tolerance) return message
  const half = Math.floor(chars / 2)
  const left = text.length <= chars + tolerance ? 0 : text.length - 2 * half
  const what = [...(left === 0 ? [] : [`${left} characters`]), ...(images > 0 ? [`${images} image(s)`] : [])].join(
    " and ",
  )
  const gap = `[... ${what} of this old result were left out to make room; run the call again if they are needed ...]`
  const parts = left === 0 ? [text, gap] : [start(text, half), gap, end(text, half)]
  const shown = parts.filter((part) => part !== "").join("\n")
  return deepFreeze({ ...message, content: [{ type: "text", text: shown }] })
}

/** Replaces the text of a skill by a line: the whole text of a result that read it, the beginning of a message that called it. */
export function withoutSkill<M extends Message>(message: M, line: string): M {
  if (message.role === "tool") return deepFreeze({ ...message, content: [{ type: "text", text: line }] })
  if (message.role !== "user") return message
  const content = message.content.map((block): UserContent => {
    const skill = block.type === "text" ? skillTextIn(block.text) : null
    return block.type === "text" && skill ? { type: "text", text: line + block.text.slice(skill.end) } : block
  })
  return deepFreeze({ ...message, content })
}

function start(text: string, length: number): string {
  return text.slice(0, length).toWellFormed()
}

function end(text: string, length: number): string {
  return length === 0 ? "" : text.slice(-length).toWellFormed()
}
