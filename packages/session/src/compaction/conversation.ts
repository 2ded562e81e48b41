import { estimateText, type Message, textOf, toolCallsOf } from "@gong/spec"
import { leftOut } from "./texts.ts"

/** The most characters of each part of a message in a request for a summary. */
export interface PieceLimits {
  readonly result: number
  readonly call: number
  readonly text: number
}

/** Used in this order until the conversation fits. */
const tries: readonly PieceLimits[] = [
  { result: 2_000, call: 1_000, text: 8_000 },
  { result: 500, call: 300, text: 4_000 },
  { result: 120, call: 120, text: 1_000 },
]

/**
 * A conversation as plain text of at most `most` tokens. Tool results are shortened in steps; if that is not enough, messages
 * between the first and the newest ones are left out. Reasoning is never part of it.
 */
export function conversationText(messages: readonly Message[], most: number): string {
  let pieces: readonly string[] = []
  for (const limits of tries) {
    pieces = messages.map((message) => pieceOf(message, limits)).filter((piece) => piece !== "")
    if (tokensOf(pieces) <= most) return pieces.join("\n\n")
  }
  return firstAndNewest(pieces, most).join("\n\n")
}

function tokensOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + estimateText(piece) + 1, 0)
}

function firstAndNewest(pieces: readonly string[], most: number): readonly string[] {
  const [first = "", ...rest] = pieces
  let left = most - estimateText(first) - estimateText(leftOut)
  const newest: string[] = []
  for (const piece of rest.toReversed()) {
    left -= estimateText(piece) + 1
    if (left < 0) break
    newest.push(piece)
  }
  return [first, leftOut, ...newest.reverse()]
}

function pieceOf(message: Message, limits: PieceLimits): string {
  const text = textOf(message)
  switch (message.role) {
    case "user":
      return `[User]: ${shortened(text, limits.text)}${imagesIn(message)}`
    case "tool":
      return `[Result of ${message.toolName}, ${message.status}]: ${shortened(text, limits.result)}${imagesIn(message)}`
    case "assistant": {
      const lines = text.trim() === "" ? [] : [`[Assistant]: ${shortened(text, limits.text)}`]
      const calls = toolCallsOf(message).map(
        ({ name, arguments: args }) => `[Assistant called ${name}]: ${shortened(JSON.stringify(args), limits.call)}`,
      )
      return [...lines, ...calls].join("\n")
    }
  }
}

function imagesIn({ content }: Message): string {
  return content.some(({ type }) => type === "image") ? " [image]" : ""
}

/** At most about `chars` characters, half of them from the end. */
export function shortened(text: string, chars: number): string {
  if (text.length <= chars) return harmless(text)
  const half = Math.floor(chars / 2)
  const [start, end] = [text.slice(0, half).toWellFormed(), text.slice(-half).toWellFormed()]
  return harmless(`${start}\n[... ${text.length - 2 * half} characters left out ...]\n${end}`)
}

/** Escapes tags: the content of a file or a page must not close the tag around it. */
function harmless(text: string): string {
  return text.replaceAll(/<(\/?(?:conversation|unfinished-turn|previous-summary|file-operations)\b)/g, "&lt;$1")
}
