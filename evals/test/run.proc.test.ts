import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { test } from "node:test"
import { promisify } from "node:util"
import { startModelServer } from "@gong/testing/model-server"
import { tasks } from "../tasks.ts"

const main = join(import.meta.dirname, "../main.ts")
const run = promisify(execFile)

test("npm run evals gives each task to the agent, checks it, and prints a line and a table", async (t) => {
  const repair = Object.entries(tasks.find(({ id }) => id === "leap-year")?.repair ?? {})
  const calls = repair.map(([path, content]) => ({ name: "write", args: { path, content } }))
  const server = await startModelServer({
    turns: [
      { calls: ["none.js", "calendar.js"].map((path) => ({ name: "read", args: { path } })) },
      { calls },
      { text: "Done." },
      { text: "I changed nothing." },
    ],
  })
  t.after(() => server.close())
  const args = ["--base-url", `${server.url}/v1`, "-m", "mock", "--task", "leap-year,month-index"]
  const env = { ...process.env, OTHER_API_KEY: "sk-not-for-agents" }
  const { stdout } = await run(process.execPath, [main, ...args], { env })
  const [first, second] = stdout.split("\n").map((line) => (line.startsWith("{") ? JSON.parse(line) : null))
  assert.deepEqual(
    [first.agent, first.task, first.solved, first.why, first.status],
    ["gong", "leap-year", true, null, 0],
  )
  assert.deepEqual([first.turns, first.calls, first.failedCalls], [3, 3, { "read error": 1 }])
  assert.ok(first.firstRequestBytes > 1000 && first.inputTokens > 0 && first.outputTokens > 0 && first.seconds > 0)
  assert.deepEqual([second.task, second.solved, second.turns, second.calls], ["month-index", false, 1, 0])
  assert.match(second.why, /AssertionError/)
  assert.match(stdout, /\| agent \| solved \|.*\n.*\n\| gong \| 1 of 2 \| 4 \| 3 \| 1 \|/)
  assert.doesNotMatch(JSON.stringify(server.requests), /sk-not-for-agents/)
})

test("unknown tasks and agents, and a missing address, are refused before anything runs", async () => {
  for (const [args, text] of [
    [["-m", "a"], /usage: npm run evals/],
    [["-m", "a", "--base-url", "http://127.0.0.1:1", "--task", "none"], /unknown: none/],
    [["-m", "a", "--base-url", "http://127.0.0.1:1", "--agent", "gong,other"], /unknown: other/],
  ] as const)
    await assert.rejects(run(process.execPath, [main, ...args]), (error: { code: number; stderr: string }) => {
      assert.equal(error.code, 2)
      assert.match(error.stderr, text)
      return true
    })
})
