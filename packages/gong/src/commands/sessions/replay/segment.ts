import { setImmediate as settled } from "node:timers/promises"
import { type Entry, type EntryOf, phrase } from "@gong/spec"
import type { Tape } from "@gong/tape"
import { systemClock } from "@gong/app/ports"
import type { Held } from "./holds.ts"
import type { Segment } from "./plan.ts"
import {
  compareStep,
  type Due,
  type Found,
  missing,
  nextExchange,
  type Progress,
  progressOf,
  runNow,
} from "./progress.ts"
import type { Recording } from "./recording.ts"
import { type Stage, stageOf } from "./stage.ts"

/** What became of a replay, or of a part of it. */
export interface Replayed {
  readonly requests: number
  readonly entries: number
  readonly difference: Found | null
}

interface Playing {
  readonly progress: Progress
  readonly stage: Stage
  running: boolean
  stopped: boolean
}

/**
 * Replays runs in lockstep with the tape: whatever the session waits for is given only when all that came before it on the
 * tape has come, so each input and each stop has the place that it had.
 */
export async function replaySegment(tape: Tape, recording: Recording, segment: Segment): Promise<Replayed> {
  const progress = progressOf(tape, segment)
  const stage = await stageOf({
    tape,
    segment,
    run: () => runNow(progress),
    expected: () => progress.expected[0],
    answers: {
      next: () => nextExchange(progress),
      bodyOf: recording.bodyOf,
      differs: ({ number }, found) => (progress.difference = { at: `request ${number}`, ...found }),
    },
  })
  const playing: Playing = { progress, stage, running: false, stopped: false }
  stage.session.subscribe((step) => compareStep(progress, step, stage.clock.reach), { partials: false })
  while (await goesOn(playing)) {
    if (playing.running) await step(playing)
    else if (!(await beginNext(playing))) break
  }
  const { requests, entries } = progress
  return { requests, entries, difference: missing(progress) }
}

/** Rounds without anything to do before what still loads is given real time, and milliseconds of that. */
const maxRounds = 50
const maxWait = 10_000

/** Resolves when the session waits for something that only the replay can give; false when the replay is over. */
async function goesOn(playing: Playing): Promise<boolean> {
  const { progress, stage } = playing
  for (let round = 0; round < maxRounds + maxWait; round++) {
    if (round < maxRounds) await settled()
    else await systemClock.sleep(1)
    if (progress.difference !== null || progress.cut) return false
    if (!playing.running || isWaiting(stage)) {
      // What began beside it comes to its own wait in the same moment.
      await settled()
      return progress.difference === null && !progress.cut
    }
  }
  return false
}

function isWaiting({ holds, clock, session }: Stage): boolean {
  return holds.held.size > 0 || clock.sleeping > 0 || session.questions.length > 0
}

/** Between runs: the next input, as it came; false when there is none. */
async function beginNext(playing: Playing): Promise<boolean> {
  const { progress, stage } = playing
  const due = progress.inputs.shift()
  if (due === undefined) return false
  const { kind, text, images, source, seen } = due.input
  if (kind !== "prompt") {
    await submit(stage, due)
    return true
  }
  progress.at = progress.segment.runs.findIndex((run) => run.prompt === due.place)
  progress.taken = 0
  Object.assign(playing, { running: true, stopped: false })
  const options = { source, ...(images && { images }), ...(seen && { seen }) }
  const over = (): void => void (playing.running = false)
  stage.session.prompt(text, options).then(over, over)
  return true
}

async function submit({ session }: Stage, { input }: Due): Promise<void> {
  const { kind, text, images, source, seen, when } = input
  const options = { source, ...(images && { images }), ...(seen && { seen }), ...(when && { when }) }
  if (kind === "steer") await session.steer(text, options)
  else await session.followUp(text, options)
}

/** In a run: one thing goes on. */
async function step(playing: Playing): Promise<void> {
  const { progress, stage } = playing
  const { holds, clock } = stage
  const held = [...holds.held]
  const [due] = progress.inputs
  if (due !== undefined && due.place < placeOfWait(playing, held)) {
    progress.inputs.shift()
    return submit(stage, due)
  }
  if (isStopDue(playing, held)) return stop(playing)
  const going = held.filter((one) => one.kind !== "open-line")
  if (going.some((one) => one.kind === "running" && resultPlace(stage, one.callId) === Infinity)) {
    progress.cut = true
    return undefined
  }
  for (const one of going) one.go()
  // Nothing else is waited for: time passes.
  if (going.length === 0 && !clock.step()) progress.difference ??= stuck
}

const stuck: Found = {
  at: phrase`a question for permission`,
  path: "",
  recorded: phrase`none is open`,
  replayed: phrase`one waits for an answer`,
}

/** As it was stopped: by the user, or because the time for the run was up. */
function stop(playing: Playing): void {
  const { progress, stage } = playing
  if (runNow(progress).end?.status !== "interrupted") return void stage.clock.step()
  playing.stopped = true
  stage.session.abort()
}

/** Up to which place on the tape inputs came before what is waited for was over. */
function placeOfWait({ progress, stage }: Playing, held: readonly Held[]): number {
  const places = held.map((one) => {
    switch (one.kind) {
      case "request":
        return progress.placeOf(one.exchange.ended) + 1
      case "open-line":
        return 0
      case "judged":
        return stage.calls.get(one.callId)?.start?.place ?? resultPlace(stage, one.callId)
      case "running":
        return resultPlace(stage, one.callId)
    }
  })
  if (held.length > 0) return Math.max(...places)
  const run = runNow(progress)
  const next = run.exchanges[progress.taken]
  return next === undefined ? run.last : progress.placeOf(next.began) + 1
}

function resultPlace({ calls }: Stage, callId: string): number {
  return calls.get(callId)?.result?.place ?? Infinity
}

/** The run was stopped, and whatever else it came to has come: nothing more was asked, started or refused after this. */
function isStopDue({ progress, stage, stopped }: Playing, held: readonly Held[]): boolean {
  const run = runNow(progress)
  if (stopped || !wasStopped(run.end)) return false
  if (progress.taken < run.exchanges.length || held.some(({ kind }) => kind === "request" || kind === "judged"))
    return false
  return !comingIn(progress).some((entry) => {
    if (entry.type === "tool_start") return !stage.judged.has(entry.callId)
    if (entry.type !== "message" || entry.message.role !== "tool") return false
    return entry.message.status === "refused" && !stage.judged.has(entry.message.toolCallId)
  })
}

function wasStopped(end: EntryOf<"run_end"> | null): boolean {
  return end?.status === "interrupted" || (end?.status === "limit" && end.limit === "time")
}

/** What the tape has of this run and the replay does not have yet. */
function comingIn({ expected }: Progress): readonly Entry[] {
  const end = expected.findIndex(({ type }) => type === "run_end")
  return end < 0 ? expected : expected.slice(0, end)
}
