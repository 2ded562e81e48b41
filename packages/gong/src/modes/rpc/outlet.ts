import type { Event } from "@gong/spec"
import { type Line, lineWriter } from "../event-lines.ts"

/** Where lines go: a stream that takes as much as it is given and says how much of it nobody has read. */
export interface Reader {
  out(text: string): void
  /** Bytes. */
  readonly unsent: number
  /** Resolves when everything has been read, or when nobody reads any more. */
  flush(): Promise<void>
}

/** Towards the client: its lines in one order, numbered, and never more of them in memory than a stated top. */
export interface Outlet {
  /** A line that must arrive. There are few: each answers a command or a question, or ends a run. */
  line(line: Line): void
  /** What happened. Left out when the client is too far behind; see `maxUnread`. */
  event(event: Event): void
  /** Resolves when the client has read enough for the next command. */
  room(): Promise<void>
}

/** Bytes that wait for the client before deltas are left out: the whole text comes with the end of their message. */
const manyUnread = 1024 * 1024
/** Bytes that wait before every event is left out and no command is taken: what happened is read from the session then. */
const maxUnread = 4 * 1024 * 1024

export function outletTo(reader: Reader, now: () => number): Outlet {
  const write = lineWriter((text) => reader.out(text), now)
  /** Messages and calls of which a delta was left out: a later one would not fit what the client has. */
  const cut = new Set<string>()
  /** The last step that the client was told of. */
  let last: string | null = null
  /** Everything is left out until the client has read what waits, and is told so then. */
  let behind = false

  function fallBehind(): void {
    behind = true
    const caughtUp = (): void => {
      behind = false
      write(behindNotice(last))
    }
    reader.flush().then(caughtUp, caughtUp)
  }

  function leavesOut(event: Event): boolean {
    if (isUrgent(event)) return false
    if (!behind && reader.unsent > maxUnread) fallBehind()
    if (behind) return true
    const of = deltaOf(event)
    if (of !== null && reader.unsent > manyUnread) cut.add(of)
    return of !== null && cut.has(of)
  }

  return {
    line: (line) => write(line),
    event(event) {
      const end = endOf(event)
      if (end !== null) cut.delete(end)
      if (leavesOut(event)) return
      write(event)
      if (event.entry !== undefined && event.parent === undefined && !behind) last = event.entry
    },
    async room() {
      while (reader.unsent > maxUnread) await reader.flush()
    },
  }
}

const urgent: ReadonlySet<Event["type"]> = new Set([
  "session",
  "permission_request",
  "permission_end",
  "ui_request",
  "ui_end",
  "result",
])

/** Somebody waits for these, and there is at most one of each at a time. */
function isUrgent({ type }: Event): boolean {
  return urgent.has(type)
}

/** The message or call that a delta belongs to. */
function deltaOf(event: Event): string | null {
  if (event.type === "message_update") return event.id
  return event.type === "tool_execution_update" ? event.toolCallId : null
}

function endOf(event: Event): string | null {
  if (event.type === "message_end") return event.message.id
  return event.type === "tool_execution_end" ? event.toolCallId : null
}

function behindNotice(after: string | null): Event {
  const from = after === null ? "the beginning" : `step ${after}`
  const text = `lines were read too slowly, and events after ${from} were left out; get_entries has what is on the tape`
  return { type: "notice", level: "warn", code: "behind", text, ...(after === null ? {} : { after }) }
}
