import assert from "node:assert/strict"
import { test } from "node:test"
import { openStage, resultOf } from "./harness.ts"

// Replies that end without content, and replies without usage.

const quick = ["-p", "--set", "retry.baseMs=1"]
const look = { calls: [{ name: "ls", args: { path: "." } }] }

test("an empty reply is retried, and finally a failure", async (t) => {
  const stage = await openStage(t, { turns: [{}, { text: "There." }, {}, {}, {}, {}] })
  const run = await stage.gong([...quick, "hi"])
  assert.deepEqual([run.status, run.out], [0, "There.\n"])
  assert.match(run.err, /custom sent an empty reply; try 2 of 4/)
  const failed = await stage.gong([...quick, "hi"])
  assert.deepEqual([failed.status, failed.out], [1, ""])
  assert.match(failed.err, /^gong: custom sent an empty reply\b/m)
  assert.equal(stage.server.requests.length, 6)
})

test("an empty end_turn of Anthropic after a tool ends the run with one line", async (t) => {
  const stage = await openStage(t, { api: "anthropic-messages", turns: [look, {}] })
  const run = await stage.gong([...quick, "hi"])
  assert.deepEqual([run.status, run.out], [0, ""])
  assert.match(run.err, /^gong: the model sent an empty reply$/m)
  assert.equal(stage.server.requests.length, 2)
})

test("reasoning without an answer: the run ends, the reasoning is stored, and one line reports it, also with --quiet", async (t) => {
  const stage = await openStage(t, { turns: [{ thinking: "Hm." }] })
  const run = await stage.gong(["-pq", "hi"])
  assert.deepEqual([run.status, run.out, run.err], [0, "", "gong: the model reasoned but gave no answer\n"])
  const kept = stage.entries().findLast((entry) => entry.type === "message")
  assert.equal(kept?.type === "message" && kept.message.content[0]?.type, "thinking")
})

test("--max-cost: a server that reports no usage ends the run after its first reply", async (t) => {
  const stage = await openStage(t, { turns: [{ ...look, usage: false }, { text: "never" }] })
  const models = { mock: { contextWindow: 65_536, price: { input: 1, output: 1 } } }
  stage.write({ [`${stage.gongHome}/models.json`]: JSON.stringify({ providers: { custom: { models } } }) })
  const run = await stage.gong(["--output", "json", "--max-cost", "1", "hi"])
  const { status, limit, cost, turns } = resultOf(run)
  assert.deepEqual([run.status, status, limit, cost, turns], [3, "limit", "cost", null, 1])
})
