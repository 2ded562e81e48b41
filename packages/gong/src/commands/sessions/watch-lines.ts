import { type Event, type SessionHolder, type StoredSession, textOf } from "@gong/spec"
import { eventLine } from "../../modes/event-lines.ts"
import { builtInDeclarations } from "@gong/tools"
import { progressLines } from "../../modes/progress.ts"
import { shortId } from "@gong/session/short-id"
import type { StoredEvent } from "./narrator.ts"
import { statusText } from "@gong/texts/statuses"
import { titleText } from "@gong/texts/titles"
import type { Translate } from "@gong/texts/translator"

/** A followed session as lines for stdout. */
export interface WatchLines {
  begin(): Iterable<string>
  /** The events of one entry, or of one notification. */
  lines(events: readonly StoredEvent[]): Iterable<string>
  /** After all that came together. */
  pause(): Iterable<string>
  end(result: StoredEvent | null): Iterable<string>
}

/** For programs. `first`: null behind an entry that the reader knows. */
export function eventWatchLines(first: StoredEvent | null): WatchLines {
  let seq = 0
  const line = ({ event, time }: StoredEvent): string => eventLine(event, ++seq, time)
  return {
    begin: () => (first === null ? [] : [line(first)]),
    *lines(events) {
      yield* events.map(line)
    },
    pause: () => [],
    end: (result) => (result === null ? [] : [line(result)]),
  }
}

export interface Watched {
  readonly session: StoredSession
  readonly holder: SessionHolder | null
  /** Entries before the first one that is shown: they say which calls run. */
  readonly hidden: number
}

/** For people: as a conversation line by line shows it. */
export function textWatchLines(t: Translate, { session: { id, info }, holder, hidden }: Watched): WatchLines {
  const { lineOf, running } = lines(t)
  let left = hidden
  return {
    *begin() {
      const by = holder === null ? "" : t` by pid ${holder.pid}`
      yield t`Watching session ${shortId(id)} in ${info.cwd}${by}: read-only; a step is shown when it is stored. Ctrl+C exits.\n`
    },
    *lines(events) {
      const shown = events.flatMap(({ event }) => (event.type === "session" ? [] : lineOf(event)))
      if (left > 0) left -= 1
      else yield* shown
    },
    pause: running,
    end: () => [],
  }
}

interface Lines {
  /** An event as lines for people. */
  lineOf(event: Event): string[]
  /** Calls that began and are not over: each is said once. */
  running(): string[]
}

function lines(t: Translate): Lines {
  const progress = progressLines(t, null, builtInDeclarations)
  const begun = new Map<string, string>()
  const lineOf = (event: Event): string[] => {
    if (event.type === "tool_execution_start")
      begun.set(event.toolCallId, `  ${event.name} ${titleText(t, builtInDeclarations(event.name), event)} ...\n`)
    if (event.type === "tool_execution_end") begun.delete(event.toolCallId)
    const said = progress(event)
    if (said !== null) return [`  ${said.text}\n`]
    switch (event.type) {
      case "message_end": {
        const text = textOf(event.message)
        if (text === "") return []
        return [event.message.role === "user" ? `> ${text.replaceAll("\n", "\n> ")}\n` : `${text}\n`]
      }
      case "failure":
        return [`gong: ${t(event.failure)}\n`]
      case "agent_end":
        begun.clear()
        return event.status === "done" ? [] : [`[${statusText(t, event.status)}]\n`]
      case "model_select":
        return [t`[model: ${event.model}]\n`]
      default:
        return []
    }
  }
  const running = (): string[] => {
    const said = [...begun.values()].filter((line) => line !== "")
    for (const id of begun.keys()) begun.set(id, "")
    return said
  }
  return { lineOf, running }
}
