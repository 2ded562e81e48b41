/**
 * node bench/many-stores.ts [--sessions 200] [--turns 5] [--slow 50] [--json]: many tapes in one process, each with
 * the syncs of its tool turns, synced at once and in the thread pool; `--slow`: milliseconds that are added to each sync.
 */
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import type { Clock, Ids } from "@gong/spec"
import { type AppendEntry, createTape, type Tape } from "../packages/tape/src/index.ts"
import { createStore, type Disk, nodeDisk, nodeMachine, type SyncMode } from "../packages/tape/src/store/file.ts"

const { values } = parseArgs({
  options: {
    sessions: { type: "string", default: "200" },
    turns: { type: "string", default: "5" },
    slow: { type: "string", default: "0" },
    json: { type: "boolean" },
  },
})
const [sessions, turns, slow] = [Number(values.sessions), Number(values.turns), Number(values.slow)]

const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => sleep(ms),
  timer(ms, callback) {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}
let count = 0
const ids: Ids = { entry: () => (count++).toString(36).padStart(12, "0"), tape: () => `t${count++}` }

const input: AppendEntry = { type: "input", kind: "prompt", text: "go on", source: "user" }
const start: AppendEntry = { type: "tool_start", callId: "c", name: "write", title: "a.txt" }
const change: AppendEntry = { type: "change", callId: "c", path: "/w/a.txt", before: null, after: null }
const end: AppendEntry = { type: "run_end", status: "done", turns }

interface Measured {
  /** Milliseconds for all tapes, and the delay of the event loop: 99th percentile and maximum. */
  readonly total: number
  readonly p99: number
  readonly worst: number
}

async function measure(syncMode: SyncMode): Promise<Measured> {
  const folder = fs.mkdtempSync(join(tmpdir(), "gong-bench-many-"))
  const disk = slow === 0 ? nodeDisk() : slower(nodeDisk())
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const tapes = Array.from({ length: sessions }, () => tapeIn(disk, folder, syncMode))
  delay.enable()
  const began = performance.now()
  await Promise.all(tapes.map(live))
  const total = performance.now() - began
  // The delay of the last blocking work is measured in the next turn of the event loop.
  await sleep(5)
  delay.disable()
  for (const tape of tapes) tape.close()
  fs.rmSync(folder, { recursive: true })
  return { total, p99: delay.percentile(99) / 1e6, worst: delay.max / 1e6 }
}

function tapeIn(disk: Disk, folder: string, syncMode: SyncMode): Tape {
  const ports = { disk, clock, ids, machine: nodeMachine(), syncMode }
  return createTape(createStore(ports, { sessions: folder, cwd: "/w", workspace: "/w" }), ports)
}

/** The durable entries of a run of edits; models and tools take no time here. */
async function live(tape: Tape): Promise<void> {
  await durable(tape, input)
  for (let turn = 0; turn < turns; turn++) {
    await durable(tape, start)
    await durable(tape, change)
    await sleep(1)
  }
  await durable(tape, end)
}

async function durable(tape: Tape, body: AppendEntry): Promise<void> {
  tape.append([body], { sync: true })
  await tape.settled()
}

const halted = new Int32Array(new SharedArrayBuffer(4))

function slower(disk: Disk): Disk {
  return {
    ...disk,
    sync(file) {
      Atomics.wait(halted, 0, 0, slow)
      disk.sync(file)
    },
    async syncInPool(target) {
      await sleep(slow)
      await disk.syncInPool(target)
    },
  }
}

const figures = { "at once": await measure("at-once"), "in the thread pool": await measure("thread-pool") }
if (values.json === true) console.log(JSON.stringify(figures))
else {
  for (const [name, { total, p99, worst }] of Object.entries(figures)) {
    const late = `the loop late by ${p99.toFixed(0)} ms (p99), ${worst.toFixed(0)} ms (worst)`
    console.log(`${sessions} sessions, synced ${name.padEnd(18)} ${total.toFixed(0).padStart(6)} ms, ${late}`)
  }
}
