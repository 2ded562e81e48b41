import { type ModelRequest, deepFreeze, type Message, type Model, userText } from "@gong/spec"
import { createReusableBuffer } from "./reusable-buffer.ts"

/** All inputs of a request body. */
export interface RequestOptions extends Pick<ModelRequest, "system" | "tools" | "thinking" | "sessionId"> {
  readonly model: Model
  /** Leaves out reasoning of earlier replies, after reasoning blocks were refused (contract C-42). */
  readonly withoutThinking: boolean
}

/** How a wire format serializes a request: head + parts + tail, each part the JSON of a group of messages. */
export interface BodyFormat {
  /** Everything up to the opening bracket of the messages, and fixed first messages. */
  head(options: RequestOptions): string
  /** Elements of the messages array, joined by commas; empty if the group has no content. */
  part(group: readonly Message[], variant: Variant, options: RequestOptions): string
  tail(options: RequestOptions): string
  /** Whether a cached part differs from a plain one. */
  readonly marksCache: boolean
  /** Adapts options that the API rejects for this conversation. Default: unchanged. */
  fit?(messages: readonly Message[], options: RequestOptions): RequestOptions
}

/** `cached`: the provider's cache should extend to the end of this group. */
export type Variant = "plain" | "cached"

export interface Body {
  readonly bytes: readonly Uint8Array[]
  /** Call it when `bytes` is no longer read. */
  release(): void
}

export type BodyCache = (messages: readonly Message[], options: RequestOptions) => Body

/**
 * Serializes request bodies at the cost of new messages only (engine D11): a growing buffer holds head and parts, is truncated
 * at the first difference from the last request, and extended from there. Messages are compared by identity, so they must
 * be frozen.
 */
export function createBodyCache(format: BodyFormat): BodyCache {
  const buffer = createReusableBuffer()
  let head = ""
  let withoutThinking = false
  let headEnd = 0
  /** The messages of the last request, and their groups. */
  const lastMessages: Message[] = []
  const groups: Written[] = []

  let frame: Frame | null = null

  /** Serialized again only if an option changed since the last request. */
  function frameOf(options: RequestOptions): Frame {
    if (frame === null || !sameOptions(frame.options, options)) {
      frame = { options, text: format.head(options), tail: encoder.encode(format.tail(options)) }
    }
    return frame
  }

  function begin(text: string, without: boolean): void {
    head = text
    withoutThinking = without
    buffer.cut(0)
    headEnd = buffer.write(text)
    groups.length = 0
    lastMessages.length = 0
  }

  /** Only the last two groups are marked; the last but one had the mark of the last request. */
  function variantAt(index: number, count: number): Variant {
    return format.marksCache && index >= count - 2 ? "cached" : "plain"
  }

  function writeGroups(messages: readonly Message[], options: RequestOptions): void {
    const grouping = groupingOf(groups, lastMessages, messages)
    const { same, count, startOf } = grouping
    const kept = countKept(groups, grouping, (index) => variantAt(index, count))
    // Computed before truncation, since the old groups determine where groups begin.
    const starts = Array.from({ length: count - kept + 1 }, (_, at) => startOf(kept + at))
    let end = groups[kept - 1]?.end ?? headEnd
    buffer.cut(end)
    groups.length = kept
    for (const [at, start] of starts.slice(0, -1).entries()) {
      const variant = variantAt(kept + at, count)
      const part = format.part(messages.slice(start, starts[at + 1]), variant, options)
      const first = end === headEnd && head.endsWith("[")
      if (part !== "") end = buffer.write(first ? part : `,${part}`)
      groups.push({ start, variant, end })
    }
    lastMessages.length = same
    for (const message of messages.slice(same)) lastMessages.push(message)
  }

  return (given, wanted) => {
    const messages = withFirstUserMessage(given)
    const options = format.fit?.(messages, wanted) ?? wanted
    const { text, tail } = frameOf(options)
    if (text !== head || options.withoutThinking !== withoutThinking) begin(text, options.withoutThinking)
    writeGroups(messages, options)
    const { bytes, release } = buffer.snapshot()
    return { bytes: [...bytes, tail], release }
  }
}

const encoder = new TextEncoder()

const lostBeginning: Message = deepFreeze(userText("[the beginning of this conversation is missing]"))

/** Replaces a lost first user message (power cut): some APIs require one. */
function withFirstUserMessage(messages: readonly Message[]): readonly Message[] {
  const first = messages.find(({ role }) => role !== "tool")
  return first?.role === "assistant" ? [lostBeginning, ...messages] : messages
}

interface Written {
  /** Index of its first message. */
  readonly start: number
  readonly variant: Variant
  /** Offset after its last byte. */
  readonly end: number
}

/** Groups of a conversation: a reply with everything up to the next one; the first may begin with a user message. */
interface Grouping {
  /** Length of the common prefix with the last request. */
  readonly same: number
  readonly count: number
  /** Number of groups with unchanged messages and an unchanged end. */
  readonly whole: number
  /** Index of the first message of a group; for the index after the last group: the number of messages. */
  startOf(index: number): number
}

/** Groups of the common prefix are taken over; only new messages are inspected. */
function groupingOf(groups: readonly Written[], lastMessages: readonly Message[], now: readonly Message[]): Grouping {
  let same = 0
  while (same < lastMessages.length && lastMessages[same] === now[same]) same++
  const before = groups.findLastIndex(({ start }) => start < same) + 1
  const starts: number[] = []
  for (let i = same; i < now.length; i++) if (i === 0 || now[i]?.role === "assistant") starts.push(i)
  const startOf = (index: number): number =>
    (index < before ? groups[index]?.start : starts[index - before]) ?? now.length
  const end = startOf(before)
  const isWhole = end <= same && end === (groups[before]?.start ?? lastMessages.length)
  return { same, count: before + starts.length, whole: isWhole ? before : Math.max(0, before - 1), startOf }
}

/** Number of groups whose bytes are still valid. Only the last two, before or now, can change their variant. */
function countKept(
  groups: readonly Written[],
  { whole, count }: Grouping,
  variantAt: (index: number) => Variant,
): number {
  let kept = Math.max(0, Math.min(whole, groups.length - 2, count - 2))
  while (kept < whole && groups[kept]?.variant === variantAt(kept)) kept++
  return kept
}

/** The part around the messages. */
interface Frame {
  readonly options: RequestOptions
  readonly text: string
  readonly tail: Uint8Array
}

function sameOptions(a: RequestOptions, b: RequestOptions): boolean {
  return (
    a.system === b.system &&
    a.tools === b.tools &&
    a.thinking === b.thinking &&
    a.sessionId === b.sessionId &&
    a.model === b.model &&
    a.withoutThinking === b.withoutThinking
  )
}
