import assert from "node:assert/strict"
import { test } from "node:test"
import type { Api, Model } from "@gong/spec"
import { openProvider } from "@gong/llm"
import type { RecordedRequest } from "@gong/testing/model-server"
import type { Turn } from "@gong/testing/model-server/turn"
import { simTransport } from "@gong/testing/sim/transport"
import { place, start, tool } from "../world.ts"

const look = tool("look", ({ size }) => "word".repeat(Number(size)), { readOnly: true })

/** Twelve rounds of two calls each, with reasoning, then the end. `words`: tokens of text in each reply. */
function worker(words: number) {
  let round = 0
  return (request: RecordedRequest): Turn => {
    const body = JSON.stringify(request.body)
    const usage = { input: Math.ceil(body.length / 4), output: 100 }
    if (body.includes("You write summaries")) return { text: "## Goal\nto look", usage }
    const at = round++
    if (at >= 12) return { text: "done", usage }
    const call = (half: string) => ({ name: "look", args: { size: words === 0 ? 600 : 300, at, half } })
    return { thinking: "hm", text: `round ${at} ${"word".repeat(words)}`, calls: [call("a"), call("b")], usage }
  }
}

for (const api of ["openai-completions", "openai-responses", "anthropic-messages", "google-generative-ai"] as const) {
  for (const [what, words] of [
    ["compaction", 400],
    ["prune", 0],
  ] as const) {
    test(`[COMPACT-S.12] ${api}: every request after a ${what} is valid for the API`, async () => {
      const where = place()
      const otherwise = worker(words)
      const server = simTransport({ clock: where.clock, otherwise, extensions: { message: ["reasoning_content"] } })
      const credential = { key: "k", from: "test" }
      const provider = await openProvider(modelOf(api), { transport: server, clock: where.clock, credential })
      const running = await start(where, { provider, tools: () => [look], thinking: "low" })
      assert.equal((await running.session.prompt("look around")).status, "done")
      const types = running.entries().map(({ type }) => type)
      assert.ok(types.includes(what))
      assert.ok(server.requests.length >= 13)
      assert.deepEqual(server.problems, [])
    })
  }
}

function modelOf(api: Api): Model {
  return {
    provider: "test",
    id: "m",
    api,
    baseUrl: "http://model.test/v1",
    contextWindow: 8_000,
    maxOutput: 2_000,
    reasoning: true,
    images: true,
  }
}
