import { type Entry, type Event, type SessionHolder, type StoredSession, textOf } from "@gong/spec"
import type { Tape } from "@gong/tape"
import { eventLine } from "../../modes/event-lines.ts"
import { builtInDeclarations } from "@gong/tools"
import { progressLines } from "../../modes/progress.ts"
import { shortId } from "../../session/short-id.ts"
import type { Narrator, Told } from "./narrator.ts"
import { statusText } from "../../texts/statuses.ts"
import { titleText } from "../../texts/titles.ts"
import type { Translate } from "../../texts/translator.ts"

/** What is said of entries, as text for stdout. */
export interface Teller {
  begin(tape: Tape): Iterable<string>
  /** Entries that came together. */
  tell(entries: readonly Entry[]): Iterable<string>
  end(): Iterable<string>
}

/** All that stands on the active branch, then what comes; a result at the end when the last run has one. */
export function eventsTeller(narrator: Narrator): Teller {
  let seq = 0
  const line = ({ event, time }: Told): string => eventLine(event, ++seq, time)
  return {
    *begin({ branch }) {
      yield line(narrator.first)
      for (let at = 0; at < branch.length; at++) yield* narrator.tell(branch.entry(at)).map(line)
    },
    *tell(entries) {
      for (const entry of entries) yield* narrator.tell(entry).map(line)
    },
    end() {
      const result = narrator.result()
      return result === null ? [] : [line(result)]
    },
  }
}

/** The transcript since the last message of the user, as a conversation line by line shows it, then what comes. */
export function textTeller(
  t: Translate,
  narrator: Narrator,
  { id, info }: StoredSession,
  holder: SessionHolder | null,
): Teller {
  const { lineOf, running } = lines(t)
  const tell = (entry: Entry): string[] =>
    narrator.tell(entry).flatMap(({ event }) => (event.type === "session" ? [] : lineOf(event)))
  return {
    *begin({ branch }) {
      const by = holder === null ? "" : t` by pid ${holder.pid}`
      yield t`Watching session ${shortId(id)} in ${info.cwd}${by}: read only, each step when it is on the tape. Ctrl+C leaves.\n`
      const from = lastInput(branch)
      for (let at = 0; at < branch.length; at++) {
        const said = tell(branch.entry(at))
        if (at >= from) yield* said
      }
      yield* running()
    },
    *tell(entries) {
      for (const entry of entries) yield* tell(entry)
      yield* running()
    },
    end: () => [],
  }
}

function lastInput({ length, head }: Tape["branch"]): number {
  let at = length - 1
  while (at > 0 && head(at).type !== "input") at -= 1
  return at
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
