import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Clock, EntryBody, Ids, Usage } from "@gong/spec"
import { createTape, type Tape } from "../src/index.ts"
import {
  createStore,
  type Disk,
  type Machine,
  memoryDisk,
  nodeDisk,
  openStore,
  type StorePorts,
} from "../src/store/file.ts"

/** Time that advances only by the test; timers fire during an advance. */
export interface TestClock extends Clock {
  advance(ms: number): void
}

export function testClock(start = Date.UTC(2025, 0, 1)): TestClock {
  let now = start
  let timers: { at: number; callback: () => void }[] = []
  return {
    now: () => now,
    sleep: () => Promise.reject(new Error("nothing here sleeps")),
    timer(ms, callback) {
      const timer = { at: now + ms, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    advance(ms) {
      const end = now + ms
      for (;;) {
        const due = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0]
        if (due === undefined) break
        timers = timers.filter((other) => other !== due)
        now = due.at
        due.callback()
      }
      now = end
    },
  }
}

export function testIds(prefix = "a"): Ids {
  let count = 0
  const next = (): string => `${prefix}${(count++).toString(36).padStart(12 - prefix.length, "0")}`
  return { entry: next, tape: () => `tape-${next()}` }
}

export function testMachine(pid = 100, host = "here", alive: Readonly<Record<number, string>> = {}): Machine {
  const starts: Readonly<Record<number, string>> = { [pid]: `boot/ns/${pid}`, ...alive }
  return { pid, host, startTime: `boot/ns/${pid}`, startTimeOf: (other) => starts[other] ?? null }
}

export function testPorts(disk: Disk = memoryDisk(), prefix = "a"): StorePorts & { readonly clock: TestClock } {
  return { disk, clock: testClock(), ids: testIds(prefix), machine: testMachine() }
}

/** Every disk runs the same table. `folder` is where it may write. */
export const disks: readonly {
  name: string
  use(work: (disk: Disk, folder: string) => void | Promise<void>): Promise<void>
}[] = [
  { name: "memory disk", use: async (work) => work(memoryDisk(), "/sessions") },
  {
    name: "node disk",
    async use(work) {
      const folder = mkdtempSync(join(tmpdir(), "gong-tape-"))
      try {
        await work(nodeDisk(), `${folder}/sessions`)
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  },
]

export function newTape(ports: StorePorts, sessions = "/sessions", id = "s1"): Tape {
  return createTape(createStore(ports, { sessions, id, cwd: "/w", workspace: "/w" }), ports)
}

export function reopen(ports: StorePorts, path = "/sessions/s1"): Tape {
  return createTape(openStore(ports, { path }), ports)
}

/** Writes a file's bytes as they are, past any store. */
export function putFile(disk: Disk, path: string, bytes: Uint8Array): void {
  if (disk.stat(path) !== null) disk.unlink(path)
  const file = disk.open(path, "create")
  disk.write(file, bytes)
  disk.close(file)
}

export const usage: Usage = { input: 10, output: 5, cacheRead: 1, cacheWrite: 2, reasoning: 3 }
export const model = { provider: "acme", id: "m1", api: "scripted" }

export const user = (text: string, inputId?: string): EntryBody & { type: "message" } => ({
  type: "message",
  message: { role: "user", content: [{ type: "text", text }] },
  ...(inputId === undefined ? {} : { inputId }),
})

export const input = (text: string): EntryBody & { type: "input" } => ({
  type: "input",
  kind: "prompt",
  text,
  source: "user",
})

export const reply = (
  text: string,
  calls: readonly string[] = [],
  cost: number | null = 0.5,
): EntryBody & { type: "message" } => ({
  type: "message",
  message: {
    role: "assistant",
    content: [
      { type: "text", text },
      ...calls.map((id) => ({ type: "tool_call" as const, id, name: "read", arguments: { path: id } })),
    ],
    model,
    stopReason: calls.length > 0 ? "tool_calls" : "stop",
    usage,
    cost,
  },
})

export const result = (
  toolCallId: string,
  details: Readonly<Record<string, unknown>> | null = null,
  files: readonly { path: string; change: "created" | "modified" | "deleted"; added: number; removed: number }[] = [],
): EntryBody & { type: "message" } => ({
  type: "message",
  message: {
    role: "tool",
    toolCallId,
    toolName: "read",
    content: [{ type: "text", text: `result of ${toolCallId}` }],
    details,
    isError: false,
    status: "ok",
    files,
  },
})

export const start = (callId: string): EntryBody & { type: "tool_start" } => ({
  type: "tool_start",
  callId,
  name: "read",
  title: callId,
})

/** One root, every other parent before its child: so no cycle, and each parent exists. */
export function assertTree(tape: Tape): void {
  const seen = new Set<string>()
  for (const [at, { id, parentId }] of tape.store.heads().entries()) {
    assert.ok(at === 0 ? parentId === null : parentId !== null && seen.has(parentId), `parent of entry ${at}`)
    assert.equal(seen.has(id), false, `entry ${id} once`)
    seen.add(id)
  }
  assert.equal(tape.entriesOfBranch().length, tape.branch.length)
}
