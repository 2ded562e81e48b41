import type { Limits } from "@gong/loop"
import type { Turn } from "@gong/testing/model-server/turn"
import { createRng, type Rng } from "@gong/testing/sim/rng"
import type { QueueModes } from "../../src/input/inbox.ts"
import { type Act, actsOf, type Crash, crashesOfOpening, crashOf, type Trouble } from "./plan-acts.ts"

/** The events of one world, drawn from its seed in advance. */
export interface Plan {
  readonly seed: number
  readonly api: Api
  /** Of the fallback models. */
  readonly fallbacks: readonly Api[]
  readonly toolExecution: "parallel" | "sequential"
  readonly queue: QueueModes
  readonly limits: Limits
  /** Milliseconds for which a question stays open; null: until it is answered. */
  readonly answerTime: number | null
  readonly strict: boolean
  readonly prompts: readonly PlannedPrompt[]
  /** One for each process but the last, in order. */
  readonly crashes: readonly Crash[]
  /** Tokens of the model's window. Where it is small, the conversation outgrows it again and again. */
  readonly window: number
  /** Maximum milliseconds of a sync in the thread pool; null: syncs are immediate. */
  readonly slowestSync: number | null
  /** Readers of the events that join later, in each process; null: there are none. */
  readonly readers: PlannedReaders | null
  /** How hooks behave; null: there are none. */
  readonly hooks: Rng | null
  /** For random choices during the run: replies, answers of users, remains of a power cut. */
  readonly model: Rng
}

export const apis = ["openai-completions", "openai-responses", "anthropic-messages", "google-generative-ai"] as const
export type Api = (typeof apis)[number]

/** The provider of the model at a place of the chain. */
export function nameOfModel(place: number): string {
  return place === 0 ? "sim" : `sim${place}`
}

export interface PlannedPrompt {
  readonly text: string
  /** Replies with tool calls that the model may give before it ends. */
  readonly rounds: number
  readonly acts: readonly Act[]
  /** The user's action right before it. */
  readonly before: Between | null
  readonly outages: readonly Outage[]
  /** How the disk is when a run has ended on a full one and the session tries again. */
  readonly afterFull: Trouble
}

/** When they join: at which partial of a reply, at which batch of entries. */
export interface PlannedReaders {
  readonly late: number
  readonly behind: number
}

/** A model that cannot be asked any more. */
export interface Outage {
  /** 0: the chosen one; then the fallbacks. */
  readonly place: number
  /** Requests of this prompt that it answers before. */
  readonly after: number
  readonly fault: NonNullable<Turn["fault"]>
}

/** A user's actions between runs. A compaction continues while the prompt is sent. */
export type Between = "compact" | "undo" | "undo-compaction" | "change-model" | "command" | "leave-branch"

export const smallWindow = 1_200

export function planOf(seed: number): Plan {
  const rng = createRng(seed)
  const window = rng.chance(0.35) ? smallWindow : 100_000
  const plan: Omit<Plan, "fallbacks" | "slowestSync" | "readers"> = {
    seed,
    window,
    api: rng.pick(apis),
    toolExecution: rng.chance(0.8) ? "parallel" : "sequential",
    queue: { steer: rng.pick(modes), followUp: rng.pick(modes) },
    limits: limitsOf(rng),
    answerTime: rng.chance(0.6) ? 45_000 : null,
    strict: rng.chance(0.05),
    prompts: Array.from({ length: 2 + rng.int(3) }, (_, index) => promptOf(rng, index, window === smallWindow)),
    crashes: Array.from({ length: rng.pick([0, 1, 1, 2, 3]) }, () => crashOf(rng)),
    hooks: rng.chance(0.35) ? createRng(rng.int(2 ** 31)) : null,
    model: createRng(rng.int(2 ** 31)),
  }
  const fallbacks = rng.chance(0.3) ? Array.from({ length: 1 + rng.int(2) }, () => rng.pick(apis)) : []
  const outages = plan.prompts.map(() => outagesOf(rng, fallbacks.length))
  const slowestSync = rng.chance(0.4) ? rng.pick([0, 2, 60, 2_000]) : null
  const prompts = plan.prompts.map((prompt, at) => {
    const afterFull: Trouble = rng.chance(0.3) ? "error" : null
    return { ...prompt, outages: outages[at] ?? [], afterFull }
  })
  const crashes = rng.chance(0.06) ? crashesOfOpening(rng) : plan.crashes
  const readers = rng.chance(0.3) ? { late: 1 + rng.int(30), behind: 1 + rng.int(25) } : null
  return { ...plan, fallbacks, prompts, slowestSync, crashes, readers }
}

/** None without fallbacks: errors of the model itself suffice then. */
function outagesOf(rng: Rng, fallbacks: number): readonly Outage[] {
  if (fallbacks === 0 || rng.chance(0.4)) return []
  const outage = (place: number): Outage => ({ place, after: rng.int(4), fault: rng.pick(refusals) })
  return [outage(0), ...Array.from({ length: fallbacks }, (_, at) => (rng.chance(0.25) ? [outage(at + 1)] : [])).flat()]
}

const refusals: readonly [Outage["fault"], ...Outage["fault"][]] = [
  { kind: "status", status: 401 },
  { kind: "status", status: 402 },
  { kind: "status", status: 403 },
  { kind: "status", status: 429, code: "insufficient_quota", message: "You exceeded your current quota" },
  { kind: "status", status: 429, retryAfter: "600" },
  { kind: "status", status: 503 },
  { kind: "drop", after: "connect" },
]

const modes = ["all", "one"] as const

/** One request costs about 0.0002 dollars and 160 tokens. */
function limitsOf(rng: Rng): Limits {
  const maxTurns = rng.chance(0.9) ? 40 : 1 + rng.int(5)
  if (rng.chance(0.75)) return { maxTurns }
  const limit = rng.pick<() => Limits>([
    () => ({ maxCost: 0.0002 * (1 + rng.int(6)) }),
    () => ({ maxTokens: 160 * (1 + rng.int(6)) }),
    () => ({ maxTime: 1000 + rng.int(120_000) }),
    () => ({ toolTime: 1000 + rng.int(60_000) }),
  ])()
  return { maxTurns, ...limit }
}

function promptOf(rng: Rng, index: number, small: boolean): PlannedPrompt {
  const acts = actsOf(rng)
  const compacts = small && rng.chance(0.25)
  return {
    text: `prompt ${index + 1}`,
    rounds: 1 + rng.int(6),
    acts,
    before: compacts ? "compact" : rng.chance(0.25) ? rng.pick(small ? betweenSmall : between) : null,
    outages: [],
    afterFull: null,
  }
}

const between = ["undo", "change-model", "command", "leave-branch"] as const
const betweenSmall = ["undo-compaction", "undo-compaction", ...between] as const
