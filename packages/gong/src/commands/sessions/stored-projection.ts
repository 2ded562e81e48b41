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

/** An event and the time of its entry (ISO 8601, UTC). */
export interface StoredEvent {
  readonly event: Event | StoredSessionEvent
  readonly time: string
}

/** Projects a stored session as events. */
export interface StoredProjection {
  readonly first: StoredEvent
  /** The events of the next entry, as live. */
  project(entry: Entry): readonly StoredEvent[]
  /** The result of the last run; null if it has none. */
  result(): StoredEvent | null
}

export async function storedProjection(tape: Tape, session: StoredSession, cli: Cli): Promise<StoredProjection> {
  const first = await sessionEvent(tape, session, cli)
  const projected = projection({ partial: false, contextWindow: await contextWindowOf(first.event.model) })
  const last = lastRun(session)
  return {
    first,
    project(entry) {
      last.add(entry)
      return projected.project({ entries: [entry] }).map((event) => ({ event, time: entry.timestamp }))
    },
    result: last.result,
  }
}

/** Collects the last run of a session. */
export interface LastRun {
  /** Adds the next entry. */
  add(entry: Entry): void
  /** Null if the run has no end. */
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
  readonly startedAt: string
  readonly collected: ReturnType<typeof runSummary>
  /** The id of its input; absent before its first message. */
  name: string | undefined
  end: EntryOf<"run_end"> | null
}

function newRun(startedAt: string): Run {
  return { startedAt, collected: runSummary(), name: undefined, end: null }
}

/** The tape does not record signals, so an interrupted run has the exit status of Ctrl+C. */
function resultOf({ startedAt, collected, name }: Run, end: EntryOf<"run_end">, session: string): Event {
  const durationMs = Date.parse(end.timestamp) - Date.parse(startedAt)
  const result = resultEvent(end, exitStatus(end), collected.summary(), session, durationMs)
  return { ...result, ...(name === undefined ? {} : { run: name }) }
}

/** The first event, without fields that only the process knew. */
type StoredSessionEvent = Omit<SessionEvent, "model" | "permission" | "sandbox" | "trusted" | "resumed"> & {
  /** Null if the session has no reply yet. */
  readonly model: string | null
}

export async function sessionEvent(
  tape: Tape,
  { path, info }: StoredSession,
  cli: Cli,
): Promise<{ readonly event: StoredSessionEvent; readonly time: string }> {
  const { model, thinking } = tape.follow(context).value
  const prompt = await loadPrompt(tape)
  const name = tape.follow(sessionName).value
  const event: StoredSessionEvent = {
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

/** Tokens of a model by its name; the address of a custom model is not on the tape. */
export async function contextWindowOf(model: string | null): Promise<number> {
  const [provider = "", ...id] = (model ?? "").split("/")
  const known = await resolveModel({ provider, id: id.join("/") })
  return known.ok ? known.model.contextWindow : unknownModel.contextWindow
}
