import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import { inEnglish } from "@gong/testing/in-english"
import { findProvider } from "../src/providers.ts"
import { checkKey } from "../src/check-key.ts"
import { createTransport } from "../src/transport/transport.ts"

/** A server that answers each path with a status and a body, and records the requests. */
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
  const printed = '{"error":{"message":"invalid\\n x-api-key sk-2-0123"}}'
  const server = await serving({ "/v1/models": [200, "{}"], "/models": [401, printed], "/key": [200, "{}"] })
  const check = (id: string, key: string) =>
    checkKey({ ...provider(id), baseUrl: server.url }, key, server.transport, never)
  try {
    assert.deepEqual(await check("anthropic", "sk-ant-1"), { verdict: "good" })
    assert.deepEqual(await check("openai", "sk-2-0123"), { verdict: "refused", why: "401 invalid x-api-key ***" })
    assert.equal((await check("google", "AIza3")).verdict, "refused")
    // Its list of models is public.
    assert.deepEqual(await check("openrouter", "sk-or-4"), { verdict: "good" })
    const [anthropic, openai, google] = server.asked
    assert.equal(anthropic?.headers["x-api-key"], "sk-ant-1")
    assert.equal(openai?.headers["authorization"], "Bearer sk-2-0123")
    assert.equal(google?.headers["x-goog-api-key"], "AIza3")
  } finally {
    server.close()
  }
})

test("inconclusive checks: no list, a web page, no answer, a server error", async () => {
  for (const [answer, why] of [
    [[404, "no"], /^it answered 404$/],
    [[200, "<html>sign in</html>"], /^it answered 200$/],
    [[503, '{"message":"later"}'], /^it answered 503 later$/],
    [[429, '{"detail":"slow"}'], /^it answered 429 slow$/],
    [[400, '{"error":"bad"}'], /^it answered 400 bad$/],
  ] as const) {
    const server = await serving({ "/models": answer })
    const check = await checkKey({ ...provider("openai"), baseUrl: server.url }, "k", server.transport, never)
    server.close()
    assert.equal(check.verdict, "unknown")
    assert.match(englishOf(check.verdict === "unknown" ? check.why : ""), why)
  }
  const server = await serving({})
  const gone = await checkKey({ ...provider("openai"), baseUrl: "http://127.0.0.1:1" }, "k", server.transport, never)
  server.close()
  assert.deepEqual(inEnglish(gone), { verdict: "unknown", why: "ECONNREFUSED 127.0.0.1:1" })
})

test("[PROVIDER-04] Google refuses a key with a 400", async () => {
  const printed = '{"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}'
  const server = await serving({ "/models": [400, printed] })
  const check = await checkKey({ ...provider("google"), baseUrl: server.url }, "AIza0", server.transport, never)
  server.close()
  assert.deepEqual(check, { verdict: "refused", why: "400 API key not valid. Please pass a valid API key." })
})
