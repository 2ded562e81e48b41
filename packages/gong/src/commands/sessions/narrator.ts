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
import { exitStatus } from "../../config/exit.ts"
import { loadPrompt } from "../../session/runs/prompt-state.ts"
import { resultEvent, runSummary } from "../../session/result.ts"
import type { World } from "../../world.ts"

/** An event, and when it happened: ISO 8601, UTC. */
export interface Told {
  readonly event: Event | ReplayedSession
  readonly time: string
}

/** Tells what stands on a tape in the events that said it live. */
export interface Narrator {
  readonly first: Told
  /** The same projection as live; entries in their order. */
  tell(entry: Entry): readonly Told[]
  /** The result of the last run; null while it has none. */
  result(): Told | null
}

export async function narratorOf(tape: Tape, session: StoredSession, world: World): Promise<Narrator> {
  const event = await sessionOf(tape, session, world)
  const { created } = session.info
  const projected = projection({ partial: false, contextWindow: await contextWindowOf(event.model) })
  let run = newRun(created)
  return {
    first: { event, time: created },
    tell(entry) {
      if (entry.type === "input" && entry.kind === "prompt") run = newRun(entry.timestamp)
      if (entry.type === "run_end") run.end = entry
      run.collected.add(entry)
      const events = projected.project({ entries: [entry] })
      run.name = events.findLast((one) => one.run !== undefined)?.run ?? run.name
      return events.map((one) => ({ event: one, time: entry.timestamp }))
    },
    result: () => (run.end === null ? null : { event: resultOf(run, run.end, tape.id), time: run.end.timestamp }),
  }
}

interface Run {
  readonly begun: string
  readonly collected: ReturnType<typeof runSummary>
  /** Absent: nothing of it has been told. */
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

async function sessionOf(tape: Tape, { path, info }: StoredSession, world: World): Promise<ReplayedSession> {
  const { model, thinking } = tape.follow(context).value
  const prompt = await loadPrompt(tape)
  const name = tape.follow(sessionName).value
  return {
    type: "session",
    protocol,
    version: world.version,
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
}

/** Tokens, as far as the model's name tells them; the address that a custom model was asked at is not on the tape. */
async function contextWindowOf(model: string | null): Promise<number> {
  const [provider = "", ...id] = (model ?? "").split("/")
  const known = await resolveModel({ provider, id: id.join("/") })
  return known.ok ? known.model.contextWindow : unknownModel.contextWindow
}
