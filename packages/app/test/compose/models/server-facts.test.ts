import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { type Model, type Notification } from "@gong/spec"
import { llamaStandIn } from "@gong/testing/llama"
import { startModelServer } from "@gong/testing/model-server"
import { createTransport } from "@gong/llm/transport"
import { askServer } from "../../../src/compose/models/server-facts.ts"

async function told(t: TestContext, routes: Parameters<typeof startModelServer>[0], more: Partial<Model> = {}) {
  const server = await startModelServer(routes)
  t.after(() => server.close())
  const transport = createTransport()
  const model: Model = {
    provider: "custom",
    id: "qwen",
    api: "openai-completions",
    baseUrl: `${server.url}/v1`,
    contextWindow: 128_000,
    maxOutput: 8000,
    reasoning: false,
    images: false,
    ...more,
  }
  const notes: Notification[] = []
  const over = (): typeof transport => transport
  const facts = await askServer({ model, credential: null }, { over, notify: (note) => void notes.push(note) })
  transport.close()
  return {
    facts,
    notes: notes.map((note) => ("level" in note && "text" in note ? [note.code, note.level, note.text] : [note.code])),
  }
}

const smallText = (tokens: number) =>
  `qwen runs with a window of ${tokens} tokens; Gong needs 16k. Start its server with a larger one (llama-server -c 32768).`
const noToolsText = `The chat template of qwen has no tools, so the model cannot call any. Start its server with such a template (llama-server --jinja --chat-template-file FILE), or set "compat": {"calls": "schema"} for it in models.json.`

test("a window below 16,000 tokens is reported; an unknown one is not", async (t) => {
  const lines = async (window: number) => (await told(t, llamaStandIn({ window }))).notes
  assert.deepEqual(await lines(15_999), [["model-server", "warn", smallText(15_999)]])
  assert.deepEqual(await lines(16_000), [])
  const untold = await told(t, llamaStandIn({ window: 4096, tells: false }))
  assert.deepEqual([untold.facts, untold.notes], [{ contextWindow: null, tools: true }, []])
})

test("a template without tools is reported, unless calls are made with a schema", async (t) => {
  const server = llamaStandIn({ window: 32_768, template: "{{ messages }}" })
  const without = await told(t, server)
  assert.deepEqual(without.facts, { contextWindow: 32_768, tools: false })
  assert.deepEqual(without.notes, [["model-server", "warn", noToolsText]])
  assert.deepEqual((await told(t, server, { compat: { calls: "schema" } })).notes, [])
  const both = await told(t, llamaStandIn({ window: 100, template: "{{ messages }}" }))
  assert.deepEqual(
    both.notes.map(([, , text]) => text),
    [smallText(100), noToolsText],
  )
})

test("a server that tells nothing is not reported", async (t) => {
  const { facts, notes } = await told(t, { routes: () => ({ status: 404, body: {} }) })
  assert.deepEqual([facts, notes], [null, []])
})
