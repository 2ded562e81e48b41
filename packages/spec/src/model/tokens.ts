import type { Message } from "./message.ts"

/** Estimated tokens of an image (contract section 13). */
export const imageTokens = 1200

const tokensPerHan = 2
const tokensPerWord = 1.3
const charsPerToken = 4

/**
 * Estimated tokens of messages, without the model's tokenizer (conflict C-35). For text that is neither code nor Chinese the
 * error is about a fifth. Prefer a reported count. 0 for no messages.
 */
export function estimateTokens(messages: readonly Message[]): number {
  let sum = 0
  for (const message of messages) sum += estimateMessage(message)
  return sum
}

/** Frozen messages are counted once. */
const counted = new WeakMap<Message, number>()

/** Tokens of one message, rounded up. */
export function estimateMessage(message: Message): number {
  const known = counted.get(message)
  if (known !== undefined) return known
  let sum = 0
  for (const block of message.content) {
    if (block.type === "image") sum += imageTokens
    else if (block.type === "tool_call") sum += weigh(block.name) + weigh(argumentsOf(block))
    else sum += weigh(block.text)
  }
  const tokens = Math.ceil(sum)
  if (Object.isFrozen(message)) counted.set(message, tokens)
  return tokens
}

/** Tokens of a text, rounded up. */
export function estimateText(text: string): number {
  return Math.ceil(weigh(text))
}

function argumentsOf(call: { readonly arguments: unknown; readonly broken?: string }): string {
  return call.broken ?? JSON.stringify(call.arguments)
}

/** Counts code units in one pass, since it runs over a whole context. */
function weigh(text: string): number {
  let han = 0
  let words = 0
  let inWord = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 0x2e7f && isHan(unit)) {
      han += 1
      inWord = false
      // The second unit of a surrogate pair counts nothing.
      if (unit >= 0xd840 && unit <= 0xd888) at += 1
    } else if (unit <= 0x20) inWord = false
    else if (!inWord) {
      inWord = true
      words += 1
    }
  }
  return tokensPerHan * han + Math.max(tokensPerWord * words, (text.length - han) / charsPerToken)
}

/** Chinese, Japanese and Korean characters and punctuation; for those beyond 0xFFFF the first unit. */
function isHan(unit: number): boolean {
  if (unit < 0xd840) return unit <= 0xd7a3 && !(unit >= 0xa4d0 && unit < 0xac00)
  return unit <= 0xd888 || (unit >= 0xf900 && unit <= 0xfaff) || (unit >= 0xff00 && unit <= 0xffef)
}
