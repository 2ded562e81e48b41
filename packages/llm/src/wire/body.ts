import { type Ask, deepFreeze, type Message, type Model, userText } from "@gong/spec"
import { createLentBuffer } from "./lent-buffer.ts"

/** All that a request is made of. */
export interface RequestOptions extends Pick<Ask, "system" | "tools" | "thinking" | "sessionId"> {
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
 * Writes request bodies so that a turn costs what is new in it (engine D11): one growing buffer holds head and parts,
 * is cut where the messages first differ from the last request's, and written on from there. Messages are compared by
 * identity, so they must be frozen.
 */
export function createBodyCache(format: BodyFormat): BodyCache {
  const buffer = createLentBuffer()
  let head = ""
  let withoutThinking = false
  let headEnd = 0
  let known: readonly Message[] = []
  let groups: Written[] = []

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
    headEnd = buffer.write(text, 0)
    groups = []
    known = []
  }

  /** Only the last two groups are marked: the one before the last is where the last request's mark stood. */
  function variantAt(index: number, count: number): Variant {
    return format.marksCache && index >= count - 2 ? "cached" : "plain"
  }

  function writeGroups(messages: readonly Message[], options: RequestOptions): number {
    const starts = groupStarts(messages)
    const kept = countKept(groups, known, messages, starts, variantAt)
    let end = groups[kept - 1]?.end ?? headEnd
    buffer.cut(end)
    groups.length = kept
    for (let i = kept; i < starts.length; i++) {
      const variant = variantAt(i, starts.length)
      const part = format.part(messages.slice(starts[i], starts[i + 1] ?? messages.length), variant, options)
      const first = end === headEnd && head.endsWith("[")
      if (part !== "") end = buffer.write(first ? part : `,${part}`, end)
      groups.push({ start: starts[i] ?? 0, variant, end })
    }
    known = messages.slice()
    return end
  }

  return (given, wanted) => {
    const messages = begun(given)
    const options = format.fit?.(messages, wanted) ?? wanted
    const { text, tail } = frameOf(options)
    if (text !== head || options.withoutThinking !== withoutThinking) begin(text, options.withoutThinking)
    const { bytes, release } = buffer.lend(writeGroups(messages, options))
    return { bytes: [bytes, tail], release }
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

/** A group is a reply with all that follows it up to the next reply; the first may begin with the user. */
function groupStarts(messages: readonly Message[]): number[] {
  const starts: number[] = messages.length > 0 ? [0] : []
  for (let i = 1; i < messages.length; i++) if (messages[i]?.role === "assistant") starts.push(i)
  return starts
}

function countKept(
  groups: readonly Written[],
  known: readonly Message[],
  now: readonly Message[],
  starts: readonly number[],
  variantAt: (index: number, count: number) => Variant,
): number {
  let same = 0
  while (same < known.length && same < now.length && known[same] === now[same]) same++
  let kept = 0
  while (kept < groups.length && kept < starts.length) {
    const end = starts[kept + 1] ?? now.length
    const knownEnd = groups[kept + 1]?.start ?? known.length
    if (end > same || end !== knownEnd || groups[kept]?.variant !== variantAt(kept, starts.length)) break
    kept++
  }
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
