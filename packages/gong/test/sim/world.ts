import { createHash } from "node:crypto"
import type { Host, Ids } from "@gong/spec"
import { type MemoryDisk, memoryDisk } from "@gong/tape/file"
import { manualClock, type ManualClock } from "@gong/testing/sim/clock"
import { seededIds } from "@gong/testing/sim/ids"
import { simTransport, type SimTransport } from "@gong/testing/sim/transport"
import { createMemoryHost } from "@gong/tools/host/memory"
import { journal, type Journal } from "./journal.ts"
import { files, type SimModel, simModel } from "./model.ts"
import type { Crash, Plan } from "./plan.ts"
import { type RetryWatch, retryWatch } from "./retries.ts"
import type { SimProcess } from "./process.ts"

/** What outlives a process of Gong: disk, files, time, the model's server, and what was promised so far. */
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
  /** What tools and listeners saw that must not be. */
  readonly witnessed: string[]
  /** The process that runs now. */
  process: SimProcess | null
  /** How the disk fails now. */
  trouble: "full" | "error" | null
  /** The call that runs and may change things; null when none does. */
  writer: string | null
  /** Counts something that a crash may be planned for, and ends the process when it is time. */
  tick(what: Crash["on"]): boolean
  /** The plan's next crash applies to the process that begins now. */
  arm(): void
  /** How the last process that was ended did. */
  lastCrash: Crash | null
  /** Since a process last looked at what there was. */
  powerWasCut: boolean
  readonly counts: { requests: number; steps: number; processes: number }
  readonly retries: RetryWatch
  trace(what: unknown): void
  digest(): string
}

export interface Effect {
  readonly callId: string
  readonly what: string
}

export function simWorld(plan: Plan): SimWorld {
  const clock = manualClock()
  const model = simModel(plan.model, plan.api === "anthropic-messages")
  const crashes = [...plan.crashes]
  const hash = createHash("sha256")
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
    process: null,
    trouble: null,
    writer: null,
    counts: { requests: 0, steps: 0, processes: 0 },
    disk: memoryDisk({
      now: clock.now,
      fault({ name }) {
        if (world.process?.alive !== true || looks.has(name)) return null
        if (world.tick("disk-call")) return { code: "EKILLED", written: 0 }
        if (world.tick("disk-call-done")) return { code: "EKILLED", after: true }
        if (world.trouble === "full" && takesRoom.has(name)) return { code: "ENOSPC", written: 7 }
        if (world.trouble === "error" && name === "sync") return { code: "EIO", after: true }
        return null
      },
    }),
    host: createMemoryHost({
      now: clock.now,
      files,
      exec: (command, options) => work(world, String(command), options),
    }),
    server: simTransport({
      clock,
      otherwise: () => model.turn(),
      extensions: { message: ["reasoning_content"] },
    }),
    tick(what) {
      const count = (seen.get(what) ?? 0) + 1
      seen.set(what, count)
      if (armed?.on !== what || armed.count !== count) return false
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
    powerWasCut: false,
    retries: retryWatch(),
    trace: (what) => void hash.update(JSON.stringify(what)),
    digest: () => hash.digest("hex").slice(0, 16),
  }
  // The folder of all sessions is there before any of them, as the app's home is.
  world.disk.mkdir("/sessions")
  world.disk.syncFolder("/")
  return world
}

/** An entry that nobody holds is read again: how often depends on the garbage collector, which no seed decides. */
const looks: ReadonlySet<string> = new Set(["open", "read", "close"])
const takesRoom: ReadonlySet<string> = new Set(["write", "mkdir"])

/** `work NUMBER MILLISECONDS STATUS`: says so, takes its time, and ends with that status. */
async function work(world: SimWorld, command: string, options: Parameters<Host["exec"]>[1]): ReturnType<Host["exec"]> {
  const [, number = "?", ms = "0", status = "0"] = command.split(" ")
  options.onData(Buffer.from(`working on ${number}\n`), "stdout")
  try {
    await world.process?.clock.sleep(Number(ms), options.signal)
    return { code: Number(status), signal: null }
  } catch {
    return { code: null, signal: "SIGKILL" }
  }
}
