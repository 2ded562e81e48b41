/** Measures the package tape: node bench/tape.ts [--json]. Opening, appending with sync, folding a context, creating a tape. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Clock, Ids } from "@gong/spec"
import { textOf } from "../packages/spec/src/index.ts"
import {
  type AppendEntry,
  branchOf,
  context,
  cost,
  createTape,
  filesChanged,
  filesSeen,
  type Fold,
  foldBranch,
  type Tape,
  transcript,
} from "../packages/tape/src/index.ts"
import {
  createStore,
  forkTape,
  nodeDisk,
  nodeMachine,
  openStore,
  type StorePorts,
} from "../packages/tape/src/store/file.ts"

const clock: Clock = {
  now: () => Date.now(),
  sleep: () => Promise.resolve(),
  timer(ms, callback) {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

let count = 0
const ids: Ids = {
  entry: () => (count++).toString(36).padStart(12, "0"),
  tape: () => `bench-${process.pid}-${count++}`,
}

const ports: StorePorts = { disk: nodeDisk(), clock, ids, machine: nodeMachine() }

/** The child process: opens a tape, reads its context, and prints the time and the memory. */
function openAndReport(path: string): void {
  const began = performance.now()
  const tape = createTape(openStore(ports, { path, readOnly: true }), ports)
  const messages = tape.follow(context).value.messages.length
  const ms = performance.now() - began
  const rssMb = process.resourceUsage().maxRSS / 1024
  console.log(JSON.stringify({ ms, rssMb, entries: tape.store.heads().length, messages }))
}

/** The child process: the memory of an idle session without the text of its messages. */
async function idleAndReport(path: string): Promise<void> {
  const { gc } = globalThis
  if (gc === undefined) throw new Error("needs --expose-gc")
  const held = async (): Promise<number> => {
    // A dereferenced weak reference keeps its object until the end of the current job.
    await new Promise((resolve) => setImmediate(resolve))
    gc()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  // One run before the measurement, so that loading code is not measured.
  const first = createTape(openStore(ports, { path, readOnly: true }), ports)
  void first.follow(context).value
  first.close()
  const before = await held()
  const tape = createTape(openStore(ports, { path }), ports)
  const { messages } = tape.follow(context).value
  const text = messages.reduce((sum, message) => sum + textOf(message).length, 0)
  const overMb = ((await held()) - before - text) / 1e6
  console.log(JSON.stringify({ overMb, textMb: text / 1e6, messages: messages.length }))
  tape.close()
}

function main(): void {
  const folder = fs.mkdtempSync(join(tmpdir(), "gong-bench-tape-"))
  try {
    const figures = {
      ...opening(folder),
      ...appending(folder),
      ...folding(folder),
      ...growing(folder),
      ...idling(folder),
      ...making(folder),
    }
    if (process.argv.includes("--json")) console.log(JSON.stringify(figures))
    else for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(52)} ${value}`)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

/** 10,000 entries, 60 MB, the last compaction 300 entries before the end. */
function opening(folder: string): Readonly<Record<string, string>> {
  const tape = newTape(folder)
  const result = (n: number): AppendEntry => toolResult(`c${n}`, 12_000)
  for (let n = 0; n < 4850; n++) tape.append([reply(`c${n}`), result(n)], { sync: false })
  const kept = tape.leaf ?? ""
  tape.handoff("compaction", {
    entries: [{ type: "compaction", summary: "x", firstKeptEntryId: kept, tokensBefore: 1 }],
  })
  for (let n = 4850; n < 5000; n++) tape.append([reply(`c${n}`), result(n)], { sync: false })
  tape.close()
  const runs = Array.from({ length: 5 }, () => reportOf(tape.store.path ?? ""))
  return {
    "open 10,000 entries / 60 MB, ms (budget 300)": median(runs.map((run) => run.ms)).toFixed(1),
    "  peak memory of that process, MB (budget 120)": median(runs.map((run) => run.rssMb)).toFixed(1),
    "  size, MB": (sizeOf(tape.store.path ?? "") / 1e6).toFixed(1),
    "  entries": String(runs[0]?.entries),
  }
}

/** Alternates appends and plain fdatasync calls, so that both use the same disk state. */
function appending(folder: string): Readonly<Record<string, string>> {
  const tape = newTape(folder)
  void tape.follow(context).value
  const bare = fs.openSync(`${folder}/bare`, "a")
  const line = Buffer.alloc(2000, "x")
  const appends: number[] = []
  const syncs: number[] = []
  for (let n = 0; n < 500; n++) {
    appends.push(timeOf(() => tape.append([toolResult(`c${n}`, 2000)], { sync: true })))
    syncs.push(
      timeOf(() => {
        fs.writeSync(bare, line)
        fs.fdatasyncSync(bare)
      }),
    )
  }
  const unsynced = Array.from({ length: 500 }, () => timeOf(() => tape.append([reply("c")], { sync: false })))
  const lock = `${tape.store.path}/lock`
  const check = timeOf(() => {
    for (let n = 0; n < 1000; n++) fs.statSync(lock)
  })
  tape.close()
  fs.closeSync(bare)
  const over = median(appends) - median(syncs)
  return {
    "append with sync, p50 ms": median(appends).toFixed(3),
    "  bare write and fdatasync, p50 ms": median(syncs).toFixed(3),
    "  over that, ms (budget 0.3)": over.toFixed(3),
    "append without sync, p50 ms": median(unsynced).toFixed(4),
    "check that the lock is ours, us": check.toFixed(2),
  }
}

/** 2,000 messages / 4.4 MB: the complete fold after opening, and one step of it. */
function folding(folder: string): Readonly<Record<string, string>> {
  const tape = newTape(folder)
  for (let n = 0; n < 1000; n++) tape.append([reply(`c${n}`), toolResult(`c${n}`, 4000)], { sync: false })
  tape.close()
  const again = createTape(openStore(ports, { path: tape.store.path ?? "" }), ports)
  const followed = again.follow(context)
  const whole = timeOf(() => followed.value)
  const body = toolResult("c", 2000)
  const steps = Array.from({ length: 500 }, () =>
    timeOf(() => {
      again.append([body], { sync: false })
      return followed.value
    }),
  )
  again.close()
  return {
    "context of 2,000 messages / 4.4 MB from the disk, ms": whole.toFixed(1),
    "  one more message, append and step, p50 ms": median(steps).toFixed(4),
  }
}

/** Folds cost the same for every entry: four times the entries, four times the time. */
function growing(folder: string): Readonly<Record<string, string>> {
  const times = [2000, 8000].map((count) => {
    const tape = newTape(folder)
    for (let n = 0; n < count / 2; n++) tape.append([reply(`c${n}`), toolResult(`c${n}`, 500)], { sync: false })
    const entries = tape.entriesOfBranch()
    const time = (): number =>
      timeOf(() =>
        [context, transcript, cost, filesSeen, filesChanged].map((fold) =>
          foldBranch(fold as Fold<unknown>, branchOf(entries)),
        ),
      )
    time()
    const best = Math.min(...Array.from({ length: 5 }, time))
    tape.close()
    return best
  })
  const [small = 1, big = 1] = times
  return {
    "five folds over 2,000 entries, ms": small.toFixed(1),
    "  over 8,000, times as long (linear: 4)": (big / small).toFixed(1),
  }
}

/** 2,000 messages of plain text, open and idle. */
function idling(folder: string): Readonly<Record<string, string>> {
  const tape = newTape(folder)
  for (let n = 0; n < 1000; n++) tape.append([reply(`c${n}`), toolResult(`c${n}`, 4000, "plain")], { sync: false })
  tape.close()
  const { overMb, textMb } = childOf<{ overMb: number; textMb: number }>("--idle", tape.store.path ?? "")
  const path = tape.store.path ?? ""
  const forked = timeOf(() => forkTape(ports, { path }))
  return {
    "open idle session over its text, MB (budget 1)": overMb.toFixed(2),
    "  its text, MB": textMb.toFixed(1),
    "fork of it, durable, ms": forked.toFixed(1),
  }
}

function making(folder: string): Readonly<Record<string, string>> {
  const times = Array.from({ length: 100 }, () => timeOf(() => newTape(folder).close()))
  return { "make a tape, durable, p50 ms": median(times).toFixed(2) }
}

function newTape(sessions: string): Tape {
  return createTape(createStore(ports, { sessions, cwd: sessions, workspace: sessions }), ports)
}

function reply(callId: string): AppendEntry {
  const call = { type: "tool_call" as const, id: callId, name: "read", arguments: { path: "src/index.ts" } }
  return {
    type: "message",
    message: {
      role: "assistant",
      content: [{ type: "text", text: "I will look at the file." }, call],
      model: { provider: "acme", id: "m", api: "scripted" },
      stopReason: "tool_calls",
      usage: { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      cost: 0.001,
    },
  }
}

function toolResult(toolCallId: string, length: number, script = "中文"): AppendEntry {
  const text = `line ${toolCallId} of a file, with "quotes" and ${script}\n`.repeat(Math.ceil(length / 45))
  return {
    type: "message",
    message: {
      role: "tool",
      toolCallId,
      toolName: "read",
      content: [{ type: "text", text }],
      details: null,
      isError: false,
      status: "ok",
    },
  }
}

interface Report {
  readonly ms: number
  readonly rssMb: number
  readonly entries: number
}

function reportOf(path: string): Report {
  return childOf<Report>("--open", path)
}

function childOf<T>(what: string, path: string): T {
  const args = ["--expose-gc", import.meta.filename, what, path]
  const child = spawnSync(process.execPath, args, { encoding: "utf8" })
  if (child.status !== 0) throw new Error(child.stderr)
  return JSON.parse(child.stdout) as T
}

function sizeOf(path: string): number {
  const names = fs.readdirSync(path, { recursive: true, encoding: "utf8" })
  return names.reduce((sum, name) => sum + fs.statSync(join(path, name)).size, 0)
}

function timeOf(work: () => unknown): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

const [what, path = ""] = process.argv.slice(-2)
if (what === "--open") openAndReport(path)
else if (what === "--idle") await idleAndReport(path)
else main()
