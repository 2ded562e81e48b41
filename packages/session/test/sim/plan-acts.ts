import type { Rng } from "@gong/testing/sim/rng"

/** Something that happens from outside while a run works: at its nth step, after its nth entry or notification of a type, or so many milliseconds into it. */
export type Act = Happens | Freeze

export interface Happens {
  readonly what: Happening
  readonly at:
    | { readonly step: number }
    | { readonly ms: number }
    | { readonly entry: (typeof moments)[number]; readonly count: number }
}

/** The process is paused for some milliseconds, as by SIGSTOP or a sleeping machine; then another process opens the session. */
export interface Freeze {
  readonly what: "freeze"
  readonly at: { readonly ms: number }
  readonly ms: number
  /** Whether the other process is on the same machine. */
  readonly here: boolean
}

export type Happening =
  | "steer-now"
  | "steer-after-tool"
  | "follow-up"
  | "take-back"
  | "abort"
  | "disk-full"
  | "disk-room"
  | "disk-error"
  | "second-process"

/** The current failure of the disk: no space, or a failing sync. */
export type Trouble = "full" | "error" | null

/** The end of a process, at the nth time that something happens in it. */
export interface Crash {
  readonly on: "disk-call" | "disk-call-done" | "effect" | "step" | "request"
  readonly count: number
  /** Power fails too: unsynced data is lost, except for this share of each file. */
  readonly powerCut: boolean
  readonly torn: number
  /** The session continues on another machine, which cannot check whether the process is alive. */
  readonly elsewhere: boolean
}

export function actsOf(rng: Rng): readonly Act[] {
  const acts: Act[] = Array.from({ length: rng.int(5) }, () => actOf(rng))
  if (rng.chance(0.2)) acts.push({ what: rng.pick(["abort", "steer-now"]), at: first("retry_start") })
  if (rng.chance(0.2)) acts.push({ what: rng.pick(atQuestion), at: first("permission_request") })
  if (rng.chance(0.3)) acts.push({ what: rng.pick(atCompaction), at: first("compaction_start") })
  if (rng.chance(0.05)) acts.push(freezeOf(rng))
  return acts
}

/** The points at which the next event matters most. */
const moments = [
  "message",
  "message",
  "tool_start",
  "change",
  "input",
  "retry_start",
  "permission_request",
  "compaction_start",
] as const
const often = ["steer-now", "steer-after-tool", "follow-up"] as const
const seldom = ["abort", "disk-full", "disk-room", "disk-error", "second-process", "take-back"] as const
const atQuestion = ["abort", "steer-now", "steer-after-tool"] as const
const atCompaction = ["steer-now", "follow-up", "abort", "disk-full"] as const

function first(entry: (typeof moments)[number]): Happens["at"] {
  return { entry, count: 1 }
}

function actOf(rng: Rng): Act {
  const what = rng.chance(0.6) ? rng.pick(often) : rng.pick(seldom)
  const at = rng.pick<() => Happens["at"]>([
    () => ({ step: 1 + rng.int(40) }),
    () => ({ ms: rng.int(20_000) }),
    () => ({ entry: rng.pick(moments), count: 1 + rng.int(4) }),
  ])()
  return { what, at }
}

function freezeOf(rng: Rng): Freeze {
  return { what: "freeze", at: { ms: rng.int(10_000) }, ms: 10_000 + rng.int(50_000), here: rng.chance(0.2) }
}

const crashPoints = ["disk-call", "disk-call-done", "effect", "effect", "step", "request"] as const

/** A process makes so many calls on the disk until its first message is durable. */
const callsOfOpening = 45
/** And so many until a new session has its first entry, which is not durable. */
const callsToFirstEntry = 15

/** Three processes end while they open the session: by a power cut, by a kill around its first entry, by a power cut. */
export function crashesOfOpening(rng: Rng): readonly Crash[] {
  return [true, false, true].map((powerCut) => {
    const count = powerCut ? 1 + rng.int(callsOfOpening) : callsToFirstEntry - 4 + rng.int(6)
    return { ...crashOf(rng), on: rng.pick(["disk-call", "disk-call-done"]), count, powerCut }
  })
}

/** Three of ten happen while the session is opened or created: the state found there may be durable or not. */
export function crashOf(rng: Rng): Crash {
  const opening = rng.chance(0.3)
  const on = rng.pick(opening ? (["disk-call", "disk-call-done"] as const) : crashPoints)
  const calls = opening ? callsOfOpening : 150
  const most = { "disk-call": calls, "disk-call-done": calls, effect: 4, step: 120, request: 8 }[on]
  const torn = rng.chance(0.5) ? 0 : rng.next()
  return { on, count: 1 + rng.int(most), powerCut: rng.chance(0.7), torn, elsewhere: rng.chance(0.2) }
}
