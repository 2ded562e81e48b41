import assert from "node:assert/strict"
import { test } from "node:test"
import type { Clock } from "@gong/spec"
import { createMemoryHost } from "../../src/host/memory.ts"
import { createFindTool, createGrepTool } from "../../src/index.ts"
import { context, messages } from "../workspace.ts"

/** A clock that advances at each reading. */
function runningClock(stepMs: number): Clock & { readonly slept: () => number } {
  let now = 0
  let slept = 0
  return { now: () => (now += stepMs), sleep: async () => void slept++, timer: () => () => {}, slept: () => slept }
}

function tree(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`/w/d${at % 9}/${at}.txt`, "hit\n"]))
}

test("the walker yields, and ends at its time limit with a message", async () => {
  const host = createMemoryHost({ cwd: "/w", files: tree(300) })
  const brief = runningClock(5)
  const all = await createFindTool("/w", { host, clock: brief }).execute("c", { pattern: "*.txt" }, context())
  assert.equal(all.details?.total, 300)
  assert.ok(brief.slept() > 50)
  const long = runningClock(1000)
  const found = await createFindTool("/w", { host, clock: long }).execute("c", { pattern: "*.txt" }, context())
  assert.ok((found.details?.total ?? 300) < 300)
  assert.match(messages(found), /Some of it could not be searched: ended after 60 s\. Give a path further down/)
})

test("an abort ends the walker between two files", async () => {
  const controller = new AbortController()
  const host = createMemoryHost({ cwd: "/w", files: tree(50) })
  const reads: string[] = []
  const watched = {
    ...host,
    readRange: (path: string, from: number, to?: number) => {
      if (path.endsWith(".txt") && reads.push(path) === 3) controller.abort()
      return host.readRange(path, from, to)
    },
  }
  const tool = createGrepTool("/w", { host: watched })
  const result = await tool.execute("c", { pattern: "hit" }, context({ signal: controller.signal }))
  assert.equal(messages(result), "Operation aborted")
  assert.equal(reads.length, 3)
})

test("the walker ends at its limit, and reports what it cannot read", async () => {
  const host = createMemoryHost({ cwd: "/w", files: tree(50) })
  const reads: string[] = []
  const watched = {
    ...host,
    readRange: async (path: string, from: number, to?: number) => {
      if (path === "/w/d0/0.txt") throw Object.assign(new Error(path), { code: "EACCES" })
      if (path.endsWith(".txt")) reads.push(path)
      return host.readRange(path, from, to)
    },
  }
  const grep = createGrepTool("/w", { host: watched })
  const few = messages(await grep.execute("c", { pattern: "hit", limit: 2 }, context()))
  assert.match(few, /2 matches limit reached\. .*Some of it could not be searched: d0\/0\.txt: EACCES\]$/)
  assert.equal(reads.length, 3)
})

test("a pattern with exponential backtracking in other engines is answered at once", async () => {
  const host = createMemoryHost({ cwd: "/w", files: { "/w/a.txt": `${"a".repeat(5000)}!\n` } })
  const result = await createGrepTool("/w", { host }).execute("c", { pattern: "^(a+)+$" }, context())
  assert.match(messages(result), /^No matches found/)
})

test("without ripgrep an invalid regex is explained in the same way", async () => {
  const host = createMemoryHost({ cwd: "/w", files: { "/w/a.txt": "x\n" } })
  const grep = async (pattern: string) =>
    messages(await createGrepTool("/w", { host }).execute("c", { pattern }, context()))
  assert.match(await grep("ab("), /^Invalid regex: missing closing \).*, at column 3\n {2}ab\(\n {4}\^\nEscape special/)
  assert.match(await grep("x(?=y)"), /^Invalid regex: .*, at column 2\n/)
  assert.match(await grep("a\\nb"), /^A pattern matches within one line/)
})
