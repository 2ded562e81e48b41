import { type Event, type SessionHolder, type StoredSession, textOf } from "@gong/spec"
import { eventLine } from "../../modes/event-lines.ts"
import { builtInDeclarations } from "@gong/tools"
import { progressLines } from "../../modes/progress.ts"
import { shortId } from "@gong/session/short-id"
import type { StoredEvent } from "./stored-projection.ts"
import { statusText } from "@gong/texts/statuses"
import { titleText } from "@gong/texts/titles"
import type { Translate } from "@gong/texts/translator"

/** Formats a followed session as lines. */
export interface WatchLines {
  begin(): Iterable<string>
  /** The events of one entry, or of one notification. */
  lines(events: readonly StoredEvent[]): Iterable<string>
  /** Lines after the last pending event: calls in progress. */
  idle(): Iterable<string>
  end(result: StoredEvent | null): Iterable<string> | Promise<Iterable<string>>
}

/** For programs. `first`: the session event; null with `--after`. */
export function eventWatchLines(first: StoredEvent | null): WatchLines {
  let seq = 0
  const line = ({ event, time }: StoredEvent): string => eventLine(event, ++seq, time)
  return {
    begin: () => (first === null ? [] : [line(first)]),
    *lines(events) {
      yield* events.map(line)
    },
    idle: () => [],
    end: (result) => (result === null ? [] : [line(result)]),
  }
}

export interface WatchOptions {
  readonly session: StoredSession
  readonly holder: SessionHolder | null
  /** Number of entries that are read only for their calls in progress, and not shown. */
  readonly hidden: number
}

/** For users, as in a line-by-line conversation. */
export function textWatchLines(t: Translate, { session, holder, hidden }: WatchOptions): WatchLines {
  const { linesOf, running } = eventFormatter(t)
  let left = hidden
  return {
    begin: () => [`${watchHead(t, session, holder)}\n`],
    *lines(events) {
      const shown = events.flatMap(({ event }) => (event.type === "session" ? [] : linesOf(event)))
      if (left > 0) left -= 1
      else yield* shown
    },
    idle: running,
    end: () => [],
  }
}

/** What is watched. */
export function watchHead(t: Translate, { id, info }: StoredSession, holder: SessionHolder | null): string {
  const by = holder === null ? "" : t` by pid ${holder.pid}`
  return t`Watching session ${shortId(id)} in ${info.cwd}${by}: read-only; a step is shown when it is stored. Ctrl+C exits.`
}

interface EventFormatter {
  /** The lines of an event. */
  linesOf(event: Event): string[]
  /** Calls in progress; each is returned once. */
  running(): string[]
}

function eventFormatter(t: Translate): EventFormatter {
  const progress = progressLines({ t, declared: builtInDeclarations, undo: null, output: null })
  const started = new Map<string, string>()
  const linesOf = (event: Event): string[] => {
    if (event.type === "tool_execution_start")
      started.set(event.toolCallId, `  ${event.name} ${titleText(t, builtInDeclarations(event.name), event)} ...\n`)
    if (event.type === "tool_execution_end") started.delete(event.toolCallId)
    const line = progress(event)
    if (line !== null) return [`  ${line.text}\n`]
    switch (event.type) {
      case "message_end": {
        const text = textOf(event.message)
        if (text === "") return []
        return [event.message.role === "user" ? `> ${text.replaceAll("\n", "\n> ")}\n` : `${text}\n`]
      }
      case "failure":
        return [`gong: ${t(event.failure)}\n`]
      case "agent_end":
        started.clear()
        return event.status === "done" ? [] : [`[${statusText(t, event.status)}]\n`]
      case "model_select":
        return [t`[model: ${event.model}]\n`]
      default:
        return []
    }
  }
  const running = (): string[] => {
    const calls = [...started.values()].filter((line) => line !== "")
    for (const id of started.keys()) started.set(id, "")
    return calls
  }
  return { linesOf, running }
}
