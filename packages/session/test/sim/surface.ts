import {
  type AssistantContent,
  type AssistantMessage,
  type Entry,
  type Event,
  foldPartial,
  type LiveReply,
  projection,
  type PublishedStep,
} from "@gong/spec"
import { foldBranch, type Tape, transcript } from "@gong/tape"
import { same } from "./violation.ts"

/** A subscriber: the steps it received must equal the tape. */
export interface Surface {
  /** Of entries, in their order. */
  readonly events: readonly Event[]
  /** Texts of violations. */
  seen(step: PublishedStep): readonly string[]
  /** Throws a `Violation` if the tape differs. */
  check(tape: Tape): void
  /** An entry was written between two runs without being published. */
  lookAgain(tape: Tape): void
}

export function surface(opened: Tape): Surface {
  let shown = transcript.initial()
  /** Earlier lines, and the events of later ones. */
  const before = opened.all.length
  const live = projection(options)
  const events: Event[] = []
  let reply: LiveReply | null = null
  const step = (entry: Entry): void => {
    shown = transcript.step(shown, entry)
  }
  const lookAgain = (tape: Tape): void => {
    shown = transcript.initial()
    for (const entry of tape.entriesOfBranch()) step(entry)
  }
  lookAgain(opened)

  return {
    events,
    lookAgain,
    seen(published) {
      if ("partial" in published) reply = foldPartial(reply, published.partial)
      if (!("entries" in published)) return []
      const wrong: string[] = []
      for (const entry of published.entries) {
        step(entry)
        if (entry.type !== "message" || entry.message.role !== "assistant") continue
        if (entry.draftId !== undefined) wrong.push(...differs(reply, entry.draftId, entry.message))
        reply = null
      }
      events.push(...live.project(published))
      return wrong
    },
    check(tape) {
      same(shown.rows, foldBranch(transcript, tape.branch).rows, "what was shown, and the transcript")
      const stored = projection(options)
      const read = range(before, tape.all.length).flatMap((place) =>
        stored.project({ entries: [tape.all.entry(place)] }),
      )
      same(read, events, "the events of the tape, and those that were sent")
    },
  }
}

const options = { partial: false, contextWindow: 100_000 } as const

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

/** Partials must match the entry; ids of calls may be made unique, and broken arguments have another form. */
function differs(live: LiveReply | null, draftId: string, { content }: AssistantMessage): readonly string[] {
  if (live?.draftId !== draftId) return [`the reply ${draftId} came without its partials`]
  // A block without words may carry a signature; there is nothing of it to show.
  const shown = JSON.stringify(live.content.map((block) => ("text" in block ? block.text : block.name)).filter(Boolean))
  const stored = JSON.stringify(content.map(wordsOf).filter(Boolean))
  return shown === stored ? [] : [`a reply was shown as ${shown} and stored as ${stored}`]
}

function wordsOf(block: AssistantContent): string {
  return block.type === "tool_call" ? block.name : block.text
}
