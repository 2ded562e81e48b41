import { type Entry, failureOf } from "@gong/spec"
import { createTape, type Tape } from "@gong/tape"
import { createStore, type FileStore, listTapes, openStore, type StorePorts, type SyncMode } from "@gong/tape/file"
import { loadPrompt } from "../../src/runs/prompt-state.ts"
import { repair } from "../../src/repair.ts"
import { checkCalls, checkInputs, everything } from "./checks.ts"
import type { SimProcess } from "./process.ts"
import { holds, same } from "./violation.ts"
import type { SimWorld } from "./world.ts"

export const sessions = "/sessions"

export function storePorts(world: SimWorld, process: SimProcess, syncMode?: SyncMode): StorePorts {
  const { pid, machine: host, clock } = process
  const startTime = `boot/ns/${pid}`
  const startTimeOf = (other: number): string | null => (world.lives(host, other) ? `boot/ns/${other}` : null)
  const machine = { pid, host, startTime, startTimeOf }
  return { disk: process.disk(world.disk), clock, ids: world.ids, machine, ...(syncMode && { syncMode }) }
}

/** Opens or creates the session of this world for writing, checks the remains of the last process, and repairs it. */
export async function openTape(world: SimWorld, process: SimProcess) {
  const ports = storePorts(world, process, world.plan.slowestSync === null ? "at-once" : "thread-pool")
  // A power cut may leave half of a session that was just being made, which is not one; nothing of it was promised.
  const found = listTapes(ports.disk, sessions)[0]?.path ?? null
  const store = await openStoreOf(world, ports, found)
  const left = store.heads().map((_, place) => store.entry(place))
  if (found !== null && left.length === 0) world.count("session found without entries")
  const tape = createTape(store, ports)
  checkLeft(world, left)
  repairTape(world, tape)
  if (!process.alive) throw new Error("the process ended while it opened the session")
  return { tape, lastPrompt: found === null ? null : await loadPrompt(tape) }
}

/**
 * Guaranteed entries are present, and every effect has its start on the tape. `left`: the entries found, without
 * nothing that was written since. Losses by a power cut were checked right after it (`cutPower`).
 */
export function checkLeft(world: SimWorld, left: readonly Entry[]): void {
  if (world.acting?.alive !== true) return
  world.journal.check(left, false)
  const found = new Set(left.map(({ id }) => id))
  for (const id of world.acknowledged) holds(found.has(id), () => `the acknowledged input ${id} was lost`)
  const started = new Set(left.flatMap((entry) => (entry.type === "tool_start" ? entry.callId : [])))
  for (const { callId, what } of world.effects) {
    holds(started.has(callId), () => `"${what}" happened, and the tape knows no start of call ${callId}`)
  }
}

/** Once it is repaired nothing is open, and a second repair finds nothing to do. */
export function repairTape(world: SimWorld, tape: Tape): void {
  const before = tape.all.length
  const { calls, unsent } = repair(tape)
  if (world.acting?.alive !== true) return
  const entries = tape.entriesOfBranch()
  // A power cut may lose the middle and keep the end: the rest is not in order, and requests must tolerate that.
  const sound = tape.store.damage.length === 0
  if (everything(tape).slice(before).some(isInterrupted)) world.count("crash between intent and result")
  if (sound) checkCalls(entries)
  checkInputs(entries, new Map())
  same(repair(tape), { calls: 0, unsent: [] }, "a second repair")
  // Unsynced writes of a killed process keep their durability, unless the repair wrote after them.
  const synced = calls + unsent.length > 0 && tape.settled() === null
  world.journal.published(everything(tape), { written: true, settled: true, synced })
}

function isInterrupted(entry: ReturnType<typeof everything>[number]): boolean {
  return entry.type === "message" && entry.message.role === "tool" && entry.message.status === "aborted"
}

async function openStoreOf(world: SimWorld, ports: StorePorts, path: string | null): Promise<FileStore> {
  const store = tryOpen(ports, path)
  if (store !== null) return store
  // Processes of another machine cannot be checked: their lock is taken over after 30 s.
  await world.clock.advance(31_000)
  const again = tryOpen(ports, path)
  holds(again !== null, () => "the session of a dead process cannot be written by the next one")
  world.count("dead lock taken over")
  return again
}

/** Null if another process appears to hold it. */
function tryOpen(ports: StorePorts, path: string | null): FileStore | null {
  try {
    const store =
      path === null ? createStore(ports, { sessions, cwd: "/work", workspace: "/work" }) : openStore(ports, { path })
    if (store.readOnly === null) return store
    store.close()
    return null
  } catch (error) {
    if (failureOf(error).message.includes("open in another gong")) return null
    throw error
  }
}
