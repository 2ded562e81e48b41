import { createRng, type Rng } from "@gong/testing/sim/rng"

/** What happens in one world, drawn from its seed before it begins. */
export interface Plan {
  readonly seed: number
  readonly api: "openai-completions" | "anthropic-messages"
  readonly toolExecution: "parallel" | "sequential"
  readonly prompts: readonly PlannedPrompt[]
  /** One for each process but the last, in order. */
  readonly crashes: readonly Crash[]
  /** For what is drawn on the way: the model's replies and the answers of people. */
  readonly model: Rng
}

export interface PlannedPrompt {
  readonly text: string
  /** Replies with tool calls that the model may give before it ends. */
  readonly rounds: number
  readonly acts: readonly Act[]
}

/** Something that happens from outside while a run works: at its nth step, after its nth entry or notice of a type, or so many milliseconds into it. */
export interface Act {
  readonly what: "steer-now" | "steer-after-tool" | "follow-up" | "abort" | "disk-full" | "disk-room" | "disk-error"
  readonly at:
    | { readonly step: number }
    | { readonly ms: number }
    | { readonly entry: (typeof moments)[number]; readonly count: number }
}

/** The end of a process, at the nth time that something happens in it. */
export interface Crash {
  readonly on: "disk-call" | "disk-call-done" | "effect" | "step" | "request"
  readonly count: number
  /** The power goes too: what was not synced is lost, but for this share of each file. */
  readonly powerCut: boolean
  readonly torn: number
}

export function planOf(seed: number): Plan {
  const rng = createRng(seed)
  const prompts = 2 + rng.int(3)
  return {
    seed,
    api: rng.pick(["openai-completions", "anthropic-messages"]),
    toolExecution: rng.chance(0.8) ? "parallel" : "sequential",
    prompts: Array.from({ length: prompts }, (_, index) => promptOf(rng, index)),
    crashes: Array.from({ length: rng.pick([0, 1, 1, 2, 3]) }, () => crashOf(rng)),
    model: createRng(rng.int(2 ** 31)),
  }
}

function promptOf(rng: Rng, index: number): PlannedPrompt {
  const acts = Array.from({ length: rng.int(5) }, () => actOf(rng))
  if (rng.chance(0.2)) acts.push({ what: rng.pick(["abort", "steer-now"]), at: { entry: "retry_start", count: 1 } })
  return { text: `prompt ${index + 1}`, rounds: 1 + rng.int(6), acts }
}

/** Where it matters most what comes next. */
const moments = ["message", "message", "tool_start", "change", "input", "retry_start"] as const
const often = ["steer-now", "steer-after-tool", "follow-up"] as const
const seldom = ["abort", "disk-full", "disk-room", "disk-error"] as const

function actOf(rng: Rng): Act {
  const what = rng.chance(0.6) ? rng.pick(often) : rng.pick(seldom)
  const at = rng.pick<() => Act["at"]>([
    () => ({ step: 1 + rng.int(40) }),
    () => ({ ms: rng.int(20_000) }),
    () => ({ entry: rng.pick(moments), count: 1 + rng.int(4) }),
  ])()
  return { what, at }
}

const crashPoints = ["disk-call", "disk-call-done", "effect", "effect", "step", "request"] as const

function crashOf(rng: Rng): Crash {
  const on = rng.pick(crashPoints)
  const most = { "disk-call": 150, "disk-call-done": 150, effect: 4, step: 120, request: 8 }[on]
  return { on, count: 1 + rng.int(most), powerCut: rng.chance(0.7), torn: rng.chance(0.5) ? 0 : rng.next() }
}
