import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { llamaStandIn, type LlamaOptions } from "@gong/testing/llama"
import type { Turn } from "@gong/testing/model-server/turn"
import { openStage } from "./harness.ts"

const window = 8192

/** Five messages of about 2,700 tokens in one session. */
async function converse(t: TestContext, llama: Partial<LlamaOptions>, summary: Turn) {
  const server = llamaStandIn({ window, ...llama })
  const stage = await openStage(t, {
    routes: server.routes,
    otherwise: ({ body }) => (isConversation(body) ? { text: "Read." } : summary),
  })
  const runs = []
  for (let number = 1; number <= 5; number++) {
    const text = `Message ${number}. ${"The build of part A comes before part B. ".repeat(260)}`
    runs.push(await stage.gong(["-p", ...(number > 1 ? ["-c"] : []), text]))
  }
  return { stage, runs, server }
}

/** Requests for summaries have no tools. */
function isConversation(body: unknown): boolean {
  return typeof body === "object" && body !== null && "tools" in body
}

const summaries: Readonly<Record<string, Turn>> = {
  "it writes summaries": { text: "## Goal\nRead five messages." },
  "no summary can be made": { fault: { kind: "status", status: 400, message: "this model writes no summaries" } },
}

for (const [name, llama] of Object.entries({ "tells its window": {}, "tells nothing": { tells: false } }))
  for (const [way, summary] of Object.entries(summaries))
    test(`[COMPACT-3.1] five long messages to a server with a window of 8,192 tokens are answered; it ${name}, ${way}`, async (t) => {
      const { runs, server } = await converse(t, llama, summary)
      for (const run of runs) assert.deepEqual([run.status, run.out], [0, "Read.\n"], run.err)
      if (summary.fault) assert.match(runs.map(({ err }) => err).join(""), /no summary could be made: the oldest turns/)
      assert.ok(server.refused() > 0)
    })
