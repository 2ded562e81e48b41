import type { Clock, Host } from "@gong/spec"
import { type MemoryDisk, memoryDisk } from "@gong/tape/file"
import { createMemoryHost } from "@gong/tools/host/memory"
import type { Rng } from "@gong/testing/sim/rng"
import { files } from "./model.ts"
import { smallWindow } from "./plan.ts"
import type { Crash, Trouble } from "./plan-acts.ts"
import type { SimProcess } from "./process.ts"

/** State that controls the behaviour of a disk and a host. */
export interface Surroundings {
  readonly clock: Clock
  readonly plan: { readonly window: number; readonly slowestSync: number | null; readonly model: Rng }
  /** The process that owns the session, and the one that is calling the disk now. */
  readonly process: SimProcess | null
  readonly acting: SimProcess | null
  readonly trouble: Trouble
  tick(what: Crash["on"]): boolean
}

/** The disk of the sessions: it fails as the world decides, and crashes happen at its calls. */
export function simDisk(now: () => number, of: () => Surroundings): MemoryDisk {
  return memoryDisk({
    now,
    pool() {
      const { clock, plan } = of()
      return new Promise((resolve) => clock.timer(plan.model.int((plan.slowestSync ?? 0) + 1), resolve))
    },
    fault({ name, path }) {
      const world = of()
      const { process, acting, trouble } = world
      if (process?.alive !== true || looks.has(name)) return null
      // A crash is planned for the process that has the session; a full disk is full for all.
      if (acting === process && world.tick("disk-call")) return { code: "EKILLED", written: 0 }
      if (acting === process && world.tick("disk-call-done")) return { code: "EKILLED", after: true }
      // A lock is overwritten in place, which needs no space.
      if (trouble === "full" && takesRoom.has(name) && !path.includes("/lock.")) return { code: "ENOSPC", written: 7 }
      if (trouble === "error" && (name === "sync" || name === "syncInPool")) return { code: "EIO", after: true }
      return null
    },
  })
}

/** An unreferenced entry is read again: how often depends on the garbage collector, which no seed controls. */
const looks: ReadonlySet<string> = new Set(["open", "read", "close"])
const takesRoom: ReadonlySet<string> = new Set(["write", "mkdir"])

/** Where tools act: a few files, and one command. */
export function placeOf(now: () => number, of: () => Surroundings): Host {
  return createMemoryHost({
    now,
    files,
    exec: (command, options) => work(of(), String(command), options),
  })
}

/** `work NUMBER MILLISECONDS STATUS`: prints its number, waits, and exits with that status. */
async function work(
  world: Surroundings,
  command: string,
  options: Parameters<Host["exec"]>[1],
): ReturnType<Host["exec"]> {
  const [, number = "?", ms = "0", status = "0"] = command.split(" ")
  // Long enough to be shortened later, where the window is small.
  const lines = world.plan.window === smallWindow && Number(number) % 2 === 0 ? 250 : 1
  options.onData(Buffer.from(`working on ${number}\n`.repeat(lines)), "stdout")
  try {
    await world.clock.sleep(Number(ms), options.signal)
    return { code: Number(status), signal: null }
  } catch {
    return { code: null, signal: "SIGKILL" }
  }
}
