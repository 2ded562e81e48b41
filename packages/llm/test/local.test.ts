import assert from "node:assert/strict"
import { test } from "node:test"
import { ollamaStandIn } from "@gong/testing/ollama"
import { startModelServer } from "@gong/testing/model-server"
import { localServers, listOllama, ollamaWindow, providers } from "../src/index.ts"
import { createTransport } from "../src/transport/transport.ts"

const never = new AbortController().signal
const nowhere = "http://127.0.0.1:1/v1"
const rows = providers.filter(({ local }) => local !== undefined).map((row) => ({ ...row, baseUrl: nowhere }))

test("[PROVIDER-15] local servers are found, with the facts of their models", async (t) => {
  const { routes } = ollamaStandIn([{ name: "a:1" }, { name: "b", capabilities: ["completion"], size: 7 }], 4096)
  const ollama = await startModelServer({ routes })
  const studio = await startModelServer()
  t.after(() => Promise.all([ollama.close(), studio.close()]))
  const transport = createTransport()
  const asked = rows.map((row) => (row.id === "lmstudio" ? { ...row, baseUrl: `${studio.url}/v1` } : row))
  const env = { OLLAMA_HOST: ollama.url }
  const found = await localServers(asked, { transport, env, signal: never, details: never })
  transport.close()
  const reported = found.filter(({ host }) => [ollama.url, studio.url].some((url) => url.endsWith(host)))
  assert.deepEqual(
    reported
      .slice(0, 2)
      .map(({ row, models }) => [row.id, models.map(({ name, tools, bytes }) => [name, tools, bytes])]),
    [
      ["lmstudio", [["mock", null, null]]],
      [
        "ollama",
        [
          ["a:1", true, 5_000_000_000],
          ["b", false, 7],
        ],
      ],
    ],
  )
})

test("another server or none is not Ollama; an old version reports no window", async (t) => {
  const web = await startModelServer({ routes: () => ({ status: 200, body: "<html>" }) })
  const old = await startModelServer({
    routes: (_, path) => ({ status: 200, body: { models: path === "/api/ps" ? [{ name: "x:latest" }] : [] } }),
  })
  t.after(() => Promise.all([web.close(), old.close()]))
  const transport = createTransport()
  const at = (origin: string) => ({ transport, origin, signal: never })
  assert.equal(await listOllama(at(web.url)), null)
  assert.equal(await listOllama(at("http://127.0.0.1:1")), null)
  assert.equal(await ollamaWindow(at(old.url), "x", () => assert.fail("it is loaded")), null)
  transport.close()
})

test("each loaded Ollama model has its own window; a model that is not loaded is loaded once", async (t) => {
  const loaded = [
    { name: "a:7b", context_length: 4096 },
    { name: "a:latest", context_length: 8192 },
    { name: "b:latest", context_length: 16_384 },
    { name: "old" },
  ]
  const asked: string[] = []
  const server = await startModelServer({
    routes: (_, path) => {
      asked.push(path)
      if (path === "/api/generate") loaded.push({ name: "c:latest", context_length: 2048 })
      return { status: 200, body: { models: path === "/api/ps" ? loaded : [] } }
    },
  })
  t.after(() => server.close())
  const transport = createTransport()
  let loads = 0
  const windowOf = (name: string) =>
    ollamaWindow({ transport, origin: server.url, signal: never }, name, () => (loads += 1))
  assert.equal(await windowOf("a"), 8192)
  assert.equal(await windowOf("a:7b"), 4096)
  assert.equal(await windowOf("b"), 16_384)
  assert.equal(await windowOf("old"), null)
  assert.equal(loads, 0)
  assert.equal(await windowOf("c"), 2048)
  assert.deepEqual([loads, asked.slice(-3)], [1, ["/api/ps", "/api/generate", "/api/ps"]])
  transport.close()
})
