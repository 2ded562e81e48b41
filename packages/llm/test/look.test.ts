import assert from "node:assert/strict"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import { findProvider } from "../src/providers.ts"
import { checkKey, ollamaModels } from "../src/look.ts"
import { createTransport } from "../src/wire/transport.ts"

/** A server that answers each path with a status and a body, and remembers what it was asked. */
async function serving(answers: Readonly<Record<string, readonly [number, string]>>) {
  const asked: { readonly url: string; readonly headers: Readonly<Record<string, unknown>> }[] = []
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? "", headers: request.headers })
    const [status, body] = answers[request.url ?? ""] ?? [404, "not found"]
    response.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const transport = createTransport()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    transport,
    close() {
      transport.close()
      server.close()
    },
  }
}

const { createServer } = process.getBuiltinModule("node:http")

const never = new AbortController().signal

function provider(id: string) {
  const row = findProvider(id)
  assert.ok(row)
  return row
}

test("a key is checked with the list of models, in the provider's own header", async () => {
  const server = await serving({ "/v1/models": [200, "{}"], "/models": [401, "no"] })
  try {
    const anthropic = { ...provider("anthropic"), baseUrl: server.url }
    assert.equal(await checkKey(anthropic, "sk-ant-1", server.transport, never), null)
    assert.equal(server.asked[0]?.headers["x-api-key"], "sk-ant-1")
    const openai = { ...provider("openai"), baseUrl: server.url }
    const refused = await checkKey(openai, "sk-2", server.transport, never)
    assert.deepEqual([refused?.kind, refused?.message], ["auth", "OpenAI refused the key (401)"])
    assert.equal(server.asked[1]?.headers["authorization"], "Bearer sk-2")
  } finally {
    server.close()
  }
})

test("a provider that lists no models says nothing against a key; one that is not reached says why", async () => {
  const server = await serving({})
  const row = { ...provider("openai"), baseUrl: server.url }
  assert.equal(await checkKey(row, "k", server.transport, never), null)
  const gone = { ...row, baseUrl: "http://127.0.0.1:1" }
  assert.equal((await checkKey(gone, "k", server.transport, never))?.kind, "network")
  server.close()
})

test("the models of an Ollama are listed; whatever else answers is none", async () => {
  const server = await serving({ "/api/tags": [200, '{"models":[{"name":"a:1"},{"name":"b"},{"nameless":1}]}'] })
  assert.deepEqual(await ollamaModels(server.transport, never, server.url), ["a:1", "b"])
  server.close()
  const other = await serving({ "/api/tags": [200, "<html>"] })
  assert.equal(await ollamaModels(other.transport, never, other.url), null)
  other.close()
  assert.equal(await ollamaModels(other.transport, never, "http://127.0.0.1:1"), null)
})
