import { createHash } from "node:crypto"
import type { Host, Ids } from "@gong/spec"
import type { Tape } from "@gong/tape"
import type { MemoryDisk } from "@gong/tape/file"
import { manualClock, type ManualClock, settlePromises } from "@gong/testing/sim/clock"
import { seededIds } from "@gong/testing/sim/ids"
import { simTransport, type SimTransport } from "@gong/testing/sim/transport"
import { type Counts, noCounts, type RareState } from "./counts.ts"
import { journal, type Journal } from "./journal.ts"
import { type SimModel, simModel } from "./model.ts"
import { placeOf, simDisk } from "./places.ts"
import type { Crash, Trouble } from "./plan-acts.ts"
import { type Api, type Plan, smallWindow } from "./plan.ts"
import { type SimProcess, simProcess } from "./process.ts"
import { type CompactionWatch, compactionWatch } from "./watch-compactions.ts"
import { type FallbackWatch, fallbackWatch } from "./watch-fallbacks.ts"
import { type RetryWatch, retryWatch } from "./watch-retries.ts"

/** State that outlives a process of Gong: disk, files, time, the model's server, and guarantees so far. */
export interface SimWorld {
  readonly plan: Plan
  readonly clock: ManualClock
  readonly ids: Ids
  readonly disk: MemoryDisk
  readonly host: Host
  readonly model: SimModel
  readonly server: SimTransport
  readonly journal: Journal
  /** Every change that a tool made to the world, and the call that made it. */
  readonly effects: Effect[]
  /** Violations observed by tools and listeners. */
  readonly witnessed: string[]
  /** Inputs that the session has acknowledged. */
  readonly acknowledged: Set<string>
  /** Calls that something refused: none of them may run. */
  readonly refused: Set<string>
  /** Calls that took effect: none may twice. */
  readonly done: Set<string>
  /** The wire format of the model that is asked now. */
  api: Api
  /** Which of the models is asked: 0 the chosen one, then the fallbacks. */
  asked: number
  /** The process that has the session. */
  process: SimProcess | null
  /** The process that is calling the disk now. */
  acting: SimProcess | null
  /** The process that took the session from a paused one, until that one has ended. */
  second: Second | null
  /** The state at which the next process starts. */
  machine: string
  trouble: Trouble
  /** There was no room since the process began. */
  wasFull: boolean
  /** The call that runs and may change things; null when none does. */
  writer: string | null
  /** A branch was abandoned: its changes are no longer part of the conversation. */
  branched: boolean
  /** Another process. */
  spawn(machine: string): SimProcess
  /** Whether a process of this machine is alive. */
  lives(machine: string, pid: number): boolean
  /** Counts something that a crash may be planned for, and ends the process when it is time. */
  tick(what: Crash["on"]): boolean
  /** The plan's next crash applies to the process that starts now. */
  arm(): void
  /** How the last process that was ended did. */
  lastCrash: Crash | null
  readonly did: { requests: number; steps: number; processes: number }
  readonly counts: Counts
  count(state: RareState): void
  readonly retries: RetryWatch
  readonly compactions: CompactionWatch
  readonly fallbacks: FallbackWatch
  /** Events, for the digest. */
  trace(what: string): void
  digest(): string
}

/** Another process that has the session open. */
export interface Second {
  readonly process: SimProcess
  readonly tape: Tape
  /** The time in milliseconds at which it opened the session. */
  readonly openedAt: number
}

export interface Effect {
  readonly callId: string
  readonly what: string
}

export function simWorld(plan: Plan): SimWorld {
  const clock = manualClock(undefined, settlePromises)
  const counts = noCounts()
  const count = (state: RareState): void => void (counts[state] += 1)
  const model = simModel(plan.model, {
    thinks: () => [world.api, ...plan.fallbacks][world.asked] === "anthropic-messages",
    small: plan.window === smallWindow,
  })
  const crashes = [...plan.crashes]
  const processes: SimProcess[] = []
  const traced: string[] = []
  let seen = new Map<Crash["on"], number>()
  let armed: Crash | undefined
  const world: SimWorld = {
    plan,
    clock,
    ids: seededIds(plan.seed, clock.now),
    model,
    journal: journal(),
    effects: [],
    witnessed: [],
    acknowledged: new Set(),
    refused: new Set(),
    done: new Set(),
    api: plan.api,
    asked: 0,
    process: null,
    acting: null,
    second: null,
    machine: "here",
    trouble: null,
    wasFull: false,
    writer: null,
    branched: false,
    did: { requests: 0, steps: 0, processes: 0 },
    counts,
    count,
    disk: simDisk(clock.now, () => world),
    host: placeOf(clock.now, () => world),
    server: simTransport({
      clock,
      otherwise: (_, text) =>
        text?.includes("You write summaries") ? model.summary(world.asked) : model.turn(world.asked),
      extensions: { message: ["reasoning_content"] },
    }),
    spawn(machine) {
      const pid = processes.length + 1
      const process = simProcess(clock, { pid, machine, calls: (one) => void (world.acting = one) })
      processes.push(process)
      return process
    },
    lives: (machine, pid) => processes[pid - 1]?.machine === machine && processes[pid - 1]?.alive === true,
    tick(what) {
      // Planned events of one process do not happen in a later one.
      if (world.second !== null) return false
      const times = (seen.get(what) ?? 0) + 1
      seen.set(what, times)
      if (armed?.on !== what || armed.count !== times) return false
      world.lastCrash = armed
      armed = undefined
      world.process?.kill()
      return true
    },
    arm() {
      seen = new Map()
      armed = crashes.shift()
    },
    lastCrash: null,
    retries: retryWatch(count),
    compactions: compactionWatch(count),
    fallbacks: fallbackWatch(1 + plan.fallbacks.length, count),
    trace: (what) => void traced.push(what),
    digest: () => createHash("sha256").update(traced.join("")).digest("hex").slice(0, 16),
  }
  return world
}
