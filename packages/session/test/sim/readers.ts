import { type Event, type PublishedStep, totalTokens } from "@gong/spec"
import type { EventStream, Session } from "../../src/session.ts"
import { same } from "./violation.ts"
import type { SimWorld } from "./world.ts"

/** Readers of the events of one session that join while it works, each from a listener, in the middle of a step. */
export interface Readers {
  /** After all other subscribers saw the step. Texts of violations. */
  seen(step: PublishedStep): readonly string[]
  /** Throws a `Violation` if a reader received other events than were sent. */
  check(): void
}

interface Reader {
  readonly name: string
  readonly stream: EventStream
  /** Index of its next event among the sent ones. */
  at: number
  /** Events of entries that were not compared yet. */
  got: Event[]
  /** Replies whose start it received: the texts of their blocks. */
  readonly replies: Map<string, string[]>
}

/**
 * One joins during a reply and wants partials; the other joins at an earlier entry while entries are written.
 * `sent`: the events of all entries, in their order.
 */
export function readers(world: SimWorld, session: Session, sent: readonly Event[]): Readers {
  const { plan } = world
  const open: Reader[] = []
  const wrong: string[] = []
  let partials = 0
  let writes = 0
  /** The last entry before this process has written any. */
  const { all } = session.history
  const first = all.length === 0 ? null : all.head(all.length - 1).id

  function join(name: string, after: string | null, at: number, partial: boolean): void {
    const reader: Reader = {
      name,
      stream: session.events({ after, partial, wake: () => take(reader) }),
      at,
      got: [],
      replies: new Map(),
    }
    open.push(reader)
    take(reader)
  }

  function take(reader: Reader): void {
    for (let events = reader.stream.next(); events !== null; events = reader.stream.next())
      for (const event of events) {
        if (isCompared(reader, event)) reader.got.push(event)
        if (reader.name === "late") wrong.push(...partialOf(reader, event))
      }
  }

  return {
    seen(step) {
      if ("partial" in step && (partials += 1) === plan.readers?.late) {
        world.count("reader joined in the middle of a reply")
        join("late", sent.at(-1)?.entry ?? first, sent.length, true)
      }
      if ("entries" in step && (writes += 1) === plan.readers?.behind) {
        const last = sent.findLastIndex((event, at) => at < sent.length / 2 && event.entry !== sent[at + 1]?.entry)
        world.count("reader joined behind an entry")
        join("behind", sent[last]?.entry ?? first, last + 1, false)
      }
      return wrong.splice(0)
    },
    check() {
      for (const reader of open) {
        const { name, got, at } = reader
        const want = sent
          .slice(at)
          .filter((event) => isCompared(reader, event))
          .map(known)
        same(got.map(known), want, `the events of the reader "${name}", and those that were sent`)
        reader.at = sent.length
        reader.got = []
      }
    },
  }
}

/** With partials a turn begins with the first partial, which belongs to no entry, even if no entry follows. */
function isCompared({ name }: Reader, { type, entry }: Event): boolean {
  return entry !== undefined && (name === "behind" || (type !== "turn_start" && type !== "turn_end"))
}

/**
 * Without the values that depend on the start of a reader: the window size, the tokens of a turn without a reply (those of the
 * last reply read), and the run of entries after one that a crash interrupted.
 */
function known(event: Event): unknown {
  if (event.type === "turn_end") {
    const { contextTokens, usage } = event
    return { ...event, contextWindow: 0, contextTokens: totalTokens(usage) === 0 ? 0 : contextTokens }
  }
  return event.type === "model_select" || event.type === "compaction_end" ? { ...event, run: null } : event
}

/** The streamed text must equal the text of the reply. */
function partialOf({ replies }: Reader, event: Event): readonly string[] {
  if (event.type === "message_start") replies.set(event.message.id, [])
  if (event.type === "message_update") {
    const blocks = replies.get(event.id)
    if (blocks === undefined) return [`a reader that joined late got a piece of ${event.id} without its beginning`]
    blocks[event.index] = event.kind === "tool_call" ? (event.name ?? "") : (blocks[event.index] ?? "") + event.delta
  }
  if (event.type !== "message_end" || event.message.role !== "assistant" || event.message.id === event.entry) return []
  const shown = replies.get(event.message.id)
  replies.delete(event.message.id)
  if (shown === undefined) return [`a reader that joined late got the reply ${event.message.id} without its partials`]
  const words = event.message.content.map((block) =>
    block.type === "tool_call" ? block.name : "text" in block ? block.text : "",
  )
  const [streamed, stored] = [shown, words].map((blocks) => JSON.stringify(blocks.filter(Boolean)))
  return streamed === stored ? [] : [`a reader that joined late was shown ${streamed}, and stored is ${stored}`]
}
