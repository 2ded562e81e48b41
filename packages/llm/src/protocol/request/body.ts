import { type ModelRequest, deepFreeze, type Message, type Model, userText } from "@gong/spec"
import { createReusableBuffer } from "./reusable-buffer.ts"

/** All that a request is made of. */
export interface RequestOptions extends Pick<ModelRequest, "system" | "tools" | "thinking" | "sessionId"> {
  readonly model: Model
  /** Thinking of earlier replies is left out: the way back from a refused thinking block (contract C-42). */
  readonly withoutThinking: boolean
}

/** How one wire format writes a request: head + parts + tail, each part the JSON of some messages. */
export interface BodyFormat {
  /** Up to and with the opening bracket of the messages, and those messages that are always there. */
  head(options: RequestOptions): string
  /** Elements of the messages array joined by commas; empty when the group says nothing. */
  part(group: readonly Message[], variant: Variant, options: RequestOptions): string
  tail(options: RequestOptions): string
  /** Whether a cached part looks different from a plain one. */
  readonly marksCache: boolean
  /** What this conversation leaves of what is asked for, where the API refuses the two together. Default: all. */
  fit?(messages: readonly Message[], options: RequestOptions): RequestOptions
}

/** `cached`: this group ends what the provider should keep in its cache. */
export type Variant = "plain" | "cached"

export interface Body {
  readonly bytes: readonly Uint8Array[]
  /** To be called once nothing of `bytes` will be read any more. */
  release(): void
}

export type BodyCache = (messages: readonly Message[], options: RequestOptions) => Body

/**
 * Writes request bodies so that a turn costs what is new in it (engine D11): a growing buffer holds head and parts,
 * is cut where the messages first differ from the last request's, and written on from there. Messages are compared by
 * identity, so they must be frozen.
 */
export function createBodyCache(format: BodyFormat): BodyCache {
  const buffer = createReusableBuffer()
  let head = ""
  let withoutThinking = false
  let headEnd = 0
  /** The messages of the last request, and the groups that they were written in. */
  const known: Message[] = []
  const groups: Written[] = []

  let frame: Frame | null = null

  /** Written again only when something in it is another value than at the last request. */
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
    known.length = 0
  }

  /** Only the last two groups are marked: the one before the last is where the last request's mark stood. */
  function variantAt(index: number, count: number): Variant {
    return format.marksCache && index >= count - 2 ? "cached" : "plain"
  }

  function writeGroups(messages: readonly Message[], options: RequestOptions): void {
    const grouping = groupingOf(groups, known, messages)
    const { same, count, startOf } = grouping
    const kept = countKept(groups, grouping, (index) => variantAt(index, count))
    // Read before it is cut: where groups begin is known from the old ones.
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
    known.length = same
    for (const message of messages.slice(same)) known.push(message)
  }

  return (given, wanted) => {
    const messages = begun(given)
    const options = format.fit?.(messages, wanted) ?? wanted
    const { text, tail } = frameOf(options)
    if (text !== head || options.withoutThinking !== withoutThinking) begin(text, options.withoutThinking)
    writeGroups(messages, options)
    const { bytes, release } = buffer.lend()
    return { bytes: [...bytes, tail], release }
  }
}

const encoder = new TextEncoder()

const missing: Message = deepFreeze(userText("[the beginning of this conversation is missing]"))

/** Where a power cut took the user's first words: there are APIs in which nobody else may begin. */
function begun(messages: readonly Message[]): readonly Message[] {
  const first = messages.find(({ role }) => role !== "tool")
  return first?.role === "assistant" ? [missing, ...messages] : messages
}

interface Written {
  /** Index of its first message. */
  readonly start: number
  readonly variant: Variant
  /** Offset after its last byte. */
  readonly end: number
}

/** How a conversation falls into groups: a reply with all that follows it up to the next; the first may begin with the user. */
interface Grouping {
  /** Messages at the beginning that are those of the last request. */
  readonly same: number
  readonly count: number
  /** Groups of the last request whose messages, and where they end, are the same. */
  readonly whole: number
  /** Index of the first message of a group; of the one behind the last: how many messages there are. */
  startOf(index: number): number
}

/** Where nothing changed groups begin where they did: only what is new is looked at, but for its being new. */
function groupingOf(groups: readonly Written[], known: readonly Message[], now: readonly Message[]): Grouping {
  let same = 0
  while (same < known.length && known[same] === now[same]) same++
  const before = groups.findLastIndex(({ start }) => start < same) + 1
  const starts: number[] = []
  for (let i = same; i < now.length; i++) if (i === 0 || now[i]?.role === "assistant") starts.push(i)
  const startOf = (index: number): number =>
    (index < before ? groups[index]?.start : starts[index - before]) ?? now.length
  const end = startOf(before)
  const isWhole = end <= same && end === (groups[before]?.start ?? known.length)
  return { same, count: before + starts.length, whole: isWhole ? before : Math.max(0, before - 1), startOf }
}

/** Groups whose bytes still hold. Only the last two, then or now, can be marked otherwise than they were. */
function countKept(
  groups: readonly Written[],
  { whole, count }: Grouping,
  variantAt: (index: number) => Variant,
): number {
  let kept = Math.max(0, Math.min(whole, groups.length - 2, count - 2))
  while (kept < whole && groups[kept]?.variant === variantAt(kept)) kept++
  return kept
}

/** What stands around the messages. */
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
