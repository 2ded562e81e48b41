import { setImmediate as settled } from "node:timers/promises"
import { type Entry, type EntryOf, phrase } from "@gong/spec"
import type { Tape } from "@gong/tape"
import { systemClock } from "@gong/app/ports"
import type { BlockedOperation } from "./blocked.ts"
import type { Segment } from "./plan.ts"
import {
  compareStep,
  type PendingInput,
  type ReplayDifference,
  missingEntry,
  nextExchange,
  type Progress,
  progressOf,
  currentRun,
} from "./progress.ts"
import type { Recording } from "./recording.ts"
import { type ReplaySession, createReplaySession } from "./replay-session.ts"

/** The result of a replay, or of a part of it. */
export interface Replayed {
  readonly requests: number
  readonly entries: number
  readonly difference: ReplayDifference | null
}

interface ReplayState {
  readonly progress: Progress
  readonly replay: ReplaySession
  running: boolean
  aborted: boolean
}

/**
 * Replays runs in lockstep with the tape: an operation is resumed only after everything before it on the tape, so inputs and aborts
 * have their recorded positions.
 */
export async function replaySegment(tape: Tape, recording: Recording, segment: Segment): Promise<Replayed> {
  const progress = progressOf(tape, segment)
  const replay = await createReplaySession({
    tape,
    segment,
    run: () => currentRun(progress),
    expected: () => progress.expected[0],
    replies: {
      next: () => nextExchange(progress),
      bodyOf: recording.bodyOf,
      onDifference: ({ number }, found) => (progress.difference = { at: `request ${number}`, ...found }),
    },
  })
  const state: ReplayState = { progress, replay, running: false, aborted: false }
  replay.session.subscribe((step) => compareStep(progress, step, replay.clock.advanceTo), { partials: false })
  while (await untilBlocked(state)) {
    if (state.running) await step(state)
    else if (!(await startNext(state))) break
  }
  const { requests, entries } = progress
  return { requests, entries, difference: missingEntry(progress) }
}

/** Turns of the event loop before the wait uses real time, for modules that still load, and its maximum in milliseconds. */
const maxRounds = 50
const maxWait = 10_000

/** Resolves with true when the session waits for the replay, and with false when the replay has ended. */
async function untilBlocked(state: ReplayState): Promise<boolean> {
  const { progress, replay } = state
  for (let round = 0; round < maxRounds + maxWait; round++) {
    if (round < maxRounds) await settled()
    else await systemClock.sleep(1)
    if (progress.difference !== null || progress.cut) return false
    if (!state.running || isWaiting(replay)) {
      // Concurrent operations block in the same turn.
      await settled()
      return progress.difference === null && !progress.cut
    }
  }
  return false
}

function isWaiting({ blocked, clock, session }: ReplaySession): boolean {
  return blocked.all.size > 0 || clock.sleeping > 0 || session.questions.length > 0
}

/** Between runs: submits the next input; false if there is none. */
async function startNext(state: ReplayState): Promise<boolean> {
  const { progress, replay } = state
  const due = progress.inputs.shift()
  if (due === undefined) return false
  const { kind, text, images, source, seen } = due.input
  if (kind !== "prompt") {
    await submit(replay, due)
    return true
  }
  progress.at = progress.segment.runs.findIndex((run) => run.prompt === due.position)
  progress.requested = 0
  Object.assign(state, { running: true, aborted: false })
  const options = { source, ...(images && { images }), ...(seen && { seen }) }
  const onEnd = (): void => void (state.running = false)
  replay.session.prompt(text, options).then(onEnd, onEnd)
  return true
}

async function submit({ session }: ReplaySession, { input }: PendingInput): Promise<void> {
  const { kind, text, images, source, seen, when } = input
  const options = { source, ...(images && { images }), ...(seen && { seen }), ...(when && { when }) }
  if (kind === "steer") await session.steer(text, options)
  else await session.followUp(text, options)
}

/** In a run: submits one input, aborts, or resumes what is blocked. */
async function step(state: ReplayState): Promise<void> {
  const { progress, replay } = state
  const { blocked, clock } = replay
  const current = [...blocked.all]
  const [due] = progress.inputs
  if (due !== undefined && due.position < positionOfWait(state, current)) {
    progress.inputs.shift()
    return submit(replay, due)
  }
  if (isAbortDue(state, current)) return abortRun(state)
  const resumable = current.filter((one) => one.kind !== "open-stream")
  if (resumable.some((one) => one.kind === "running" && resultPosition(replay, one.callId) === Infinity)) {
    progress.cut = true
    return undefined
  }
  for (const one of resumable) one.resume()
  // Only timers are pending.
  if (resumable.length === 0 && !clock.runNextTimer()) progress.difference ??= stuck
}

const stuck: ReplayDifference = {
  at: phrase`a question for permission`,
  path: "",
  recorded: phrase`no open question`,
  replayed: phrase`an open question`,
}

/** Aborts as recorded: by the user, or by the time limit of the run. */
function abortRun(state: ReplayState): void {
  const { progress, replay } = state
  if (currentRun(progress).end?.status !== "interrupted") return void replay.clock.runNextTimer()
  state.aborted = true
  replay.session.abort()
}

/** The position on the tape up to which inputs came before the blocked operations ended. */
function positionOfWait({ progress, replay }: ReplayState, current: readonly BlockedOperation[]): number {
  const positions = current.map((one) => {
    switch (one.kind) {
      case "request":
        return progress.positionOf(one.exchange.ended) + 1
      case "open-stream":
        return 0
      case "decision":
        return replay.calls.get(one.callId)?.start?.position ?? resultPosition(replay, one.callId)
      case "running":
        return resultPosition(replay, one.callId)
    }
  })
  if (current.length > 0) return Math.max(...positions)
  const run = currentRun(progress)
  const next = run.exchanges[progress.requested]
  return next === undefined ? run.last : progress.positionOf(next.began) + 1
}

function resultPosition({ calls }: ReplaySession, callId: string): number {
  return calls.get(callId)?.result?.position ?? Infinity
}

/** The recorded run was aborted, and it has no further request, start or refusal. */
function isAbortDue({ progress, replay, aborted }: ReplayState, current: readonly BlockedOperation[]): boolean {
  const run = currentRun(progress)
  if (aborted || !wasAborted(run.end)) return false
  if (
    progress.requested < run.exchanges.length ||
    current.some(({ kind }) => kind === "request" || kind === "decision")
  )
    return false
  return !remainingIn(progress).some((entry) => {
    if (entry.type === "tool_start") return !replay.decided.has(entry.callId)
    if (entry.type !== "message" || entry.message.role !== "tool") return false
    return entry.message.status === "refused" && !replay.decided.has(entry.message.toolCallId)
  })
}

function wasAborted(end: EntryOf<"run_end"> | null): boolean {
  return end?.status === "interrupted" || (end?.status === "limit" && end.limit === "time")
}

/** The entries of this run that the replay has not reached. */
function remainingIn({ expected }: Progress): readonly Entry[] {
  const end = expected.findIndex(({ type }) => type === "run_end")
  return end < 0 ? expected : expected.slice(0, end)
}
