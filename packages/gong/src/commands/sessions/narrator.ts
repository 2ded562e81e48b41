import {
  type Entry,
  type EntryOf,
  type Event,
  projection,
  protocol,
  type SessionEvent,
  type StoredSession,
} from "@gong/spec"
import { resolveModel, unknownModel } from "@gong/llm"
import { context, sessionName, type Tape } from "@gong/tape"
import { exitStatus } from "../../command-line/exit.ts"
import { loadPrompt } from "@gong/session/runs/prompt-state"
import { resultEvent, runSummary } from "@gong/session/result"
import type { Cli } from "../../cli.ts"

/** An event, and when it happened: ISO 8601, UTC. */
export interface StoredEvent {
  readonly event: Event | ReplayedSession
  readonly time: string
}

/** The events of a stored session. */
export interface Narrator {
  readonly first: StoredEvent
  /** The same projection as live; entries in their order. */
  tell(entry: Entry): readonly StoredEvent[]
  /** The result of the last run; null while it has none. */
  result(): StoredEvent | null
}

export async function narratorOf(tape: Tape, session: StoredSession, cli: Cli): Promise<Narrator> {
  const first = await sessionEvent(tape, session, cli)
  const projected = projection({ partial: false, contextWindow: await contextWindowOf(first.event.model) })
  const last = lastRun(session)
  return {
    first,
    tell(entry) {
      last.add(entry)
      return projected.project({ entries: [entry] }).map((event) => ({ event, time: entry.timestamp }))
    },
    result: last.result,
  }
}

/** What is known of the last run of a session. */
export interface LastRun {
  /** Entries in their order. */
  add(entry: Entry): void
  /** The result of the run; null while it has none. */
  result(): StoredEvent | null
}

export function lastRun({ id, info }: StoredSession): LastRun {
  let run = newRun(info.created)
  return {
    add(entry) {
      if (entry.type === "input" && entry.kind === "prompt") run = newRun(entry.timestamp)
      if (entry.type === "run_end") run.end = entry
      if (entry.type === "message" && entry.message.role === "user") run.name ??= entry.inputId ?? entry.id
      run.collected.add(entry)
    },
    result: () => (run.end === null ? null : { event: resultOf(run, run.end, id), time: run.end.timestamp }),
  }
}

interface Run {
  readonly begun: string
  readonly collected: ReturnType<typeof runSummary>
  /** Absent: it has no message yet. */
  name: string | undefined
  end: EntryOf<"run_end"> | null
}

function newRun(begun: string): Run {
  return { begun, collected: runSummary(), name: undefined, end: null }
}

/** The tape does not say which signal ended a run: one that was interrupted has the status of Ctrl+C. */
function resultOf({ begun, collected, name }: Run, end: EntryOf<"run_end">, session: string): Event {
  const durationMs = Date.parse(end.timestamp) - Date.parse(begun)
  const result = resultEvent(end, exitStatus(end), collected.summary(), session, durationMs)
  return { ...result, ...(name === undefined ? {} : { run: name }) }
}

/** The first line without what only the process knew. */
type ReplayedSession = Omit<SessionEvent, "model" | "permission" | "sandbox" | "trusted" | "resumed"> & {
  /** Null when the session never said it. */
  readonly model: string | null
}

export async function sessionEvent(
  tape: Tape,
  { path, info }: StoredSession,
  cli: Cli,
): Promise<{ readonly event: ReplayedSession; readonly time: string }> {
  const { model, thinking } = tape.follow(context).value
  const prompt = await loadPrompt(tape)
  const name = tape.follow(sessionName).value
  const event: ReplayedSession = {
    type: "session",
    protocol,
    version: cli.version,
    id: tape.id,
    cwd: info.cwd,
    workspace: info.workspace,
    tape: path,
    model: model && `${model.provider}/${model.id}`,
    thinking: thinking ?? "off",
    tools: prompt?.tools.map((tool) => tool.name) ?? [],
    ...(info.from === undefined ? {} : { forkOf: info.from.id }),
    ...(name === null ? {} : { name }),
  }
  return { event, time: info.created }
}

/** Tokens, as far as the model's name tells them; the address that a custom model was asked at is not on the tape. */
export async function contextWindowOf(model: string | null): Promise<number> {
  const [provider = "", ...id] = (model ?? "").split("/")
  const known = await resolveModel({ provider, id: id.join("/") })
  return known.ok ? known.model.contextWindow : unknownModel.contextWindow
}
