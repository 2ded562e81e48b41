import { type EntryOf, type Event, projection, protocol, type SessionEvent } from "@gong/spec"
import { resolveModel, unknownModel } from "@gong/llm"
import { context, sessionName, type Tape } from "@gong/tape"
import { openToRead, sessionNamed } from "../../build/tape.ts"
import { exitStatus } from "../../config/exit.ts"
import { attempt, must, ok, type Outcome, usage } from "../../config/usage.ts"
import { eventLine } from "../../modes/events.ts"
import { shortId, type StoredSession } from "../../session/find.ts"
import { loadPrompt } from "../../session/prompt-state.ts"
import { resultEvent, runSummary } from "../../session/result.ts"
import type { World } from "../../world.ts"
import type { Asked, Lines } from "./answer.ts"

/** `gong sessions show ID --output events [--after ENTRY|N]`: the active branch as the events that said it. */
export function replaySession({ place, options, world }: Asked, wanted: string): Promise<Outcome<Lines>> {
  return attempt(async () => {
    const session = must(sessionNamed(place, wanted))
    const tape = openToRead(place, session)
    try {
      const from = must(startOf(tape, options.after))
      const first = await sessionOf(tape, session, world)
      return { lines: linesFrom(from, toldBy(tape, first), () => tape.close()) }
    } catch (error) {
      tape.close()
      throw error
    }
  })
}

/** What stands in front of it is not said again: lines by their number, entries by their place in the branch. */
interface Start {
  readonly seq: number
  readonly place: number
}

const idLength = 12

function startOf(tape: Tape, after: string | undefined): Outcome<Start> {
  if (after === undefined) return ok({ seq: 0, place: beforeAll })
  if (after.length !== idLength && /^\d+$/.test(after)) return ok({ seq: Number(after), place: beforeAll })
  for (let place = tape.branch.length - 1; place >= 0; place--)
    if (tape.branch.head(place).id === after) return ok({ seq: 0, place })
  return usage(
    `--after ${after}: the active branch of session ${shortId(tape.id)} has no such entry. Give the "entry" of a line, or the number of a line of this replay.`,
  )
}

/** An event, when it happened, and the place of its entry in the branch. */
interface Told {
  readonly event: Event | ReplayedSession
  readonly time: string
  readonly place: number
}

const beforeAll = -2
const sessionPlace = -1

function* linesFrom(start: Start, told: Iterable<Told>, close: () => void): Generator<string> {
  let seq = 0
  try {
    for (const { event, time, place } of told) {
      seq += 1
      if (seq > start.seq && place > start.place) yield eventLine(event, seq, time)
    }
  } finally {
    close()
  }
}

/** The same projection as live. A result stands at the end when the last run has one. */
function* toldBy(tape: Tape, first: ReplayedSession): Generator<Told> {
  yield { event: first, time: tape.store.info.created, place: sessionPlace }
  const projected = projection({ partial: false, contextWindow: contextWindowOf(first.model) })
  let run = newRun(tape.store.info.created)
  for (let place = 0; place < tape.branch.length; place++) {
    const entry = tape.branch.entry(place)
    if (entry.type === "input" && entry.kind === "prompt") run = newRun(entry.timestamp)
    if (entry.type === "run_end") run.end = entry
    run.collected.add(entry)
    for (const event of projected.project({ entries: [entry] })) {
      run.name = event.run ?? run.name
      yield { event, time: entry.timestamp, place }
    }
  }
  if (run.end) yield { event: resultOf(run, run.end, tape.id), time: run.end.timestamp, place: tape.branch.length }
}

interface Run {
  readonly begun: string
  readonly collected: ReturnType<typeof runSummary>
  name: string
  end: EntryOf<"run_end"> | null
}

function newRun(begun: string): Run {
  return { begun, collected: runSummary(), name: "r1", end: null }
}

/** The tape does not say which signal ended a run: one that was interrupted has the status of Ctrl+C. */
function resultOf({ begun, collected, name }: Run, end: EntryOf<"run_end">, session: string): Event {
  const durationMs = Date.parse(end.timestamp) - Date.parse(begun)
  return { ...resultEvent(end, exitStatus(end), collected.summary(), session, durationMs), run: name }
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
function contextWindowOf(model: string | null): number {
  const [provider = "", ...id] = (model ?? "").split("/")
  const known = resolveModel({ provider, id: id.join("/") })
  return known.ok ? known.model.contextWindow : unknownModel.contextWindow
}
