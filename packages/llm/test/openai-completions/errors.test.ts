import assert from "node:assert/strict"
import { test } from "node:test"
import { openaiCompletions } from "../../src/openai-completions/provider.ts"
import { collect, events, fakeTransport, manualClock, modelOf } from "../helpers.ts"

for (const { what, chunk, kind, words } of [
  {
    what: "an error without `error`, as older servers send it",
    chunk: { object: "error", message: "the template has no tools", type: "BadRequestError", code: 400 },
    kind: "bad-request",
    words: /the template has no tools/,
  },
  {
    what: "MiniMax's, a wrong key",
    chunk: { choices: null, base_resp: { status_code: 1004, status_msg: "login fail" } },
    kind: "auth",
    words: /wants a key/,
  },
  {
    what: "MiniMax's, no credit left",
    chunk: { choices: null, base_resp: { status_code: 1008, status_msg: "insufficient balance" } },
    kind: "quota",
    words: /insufficient balance/,
  },
  {
    what: "a router's, with the status as its code",
    chunk: { error: { code: 401, message: "No auth credentials found" } },
    kind: "auth",
    words: /wants a key/,
  },
]) {
  for (const form of ["in the stream", "as the whole reply"])
    test(`an error with status 200, ${form}: ${what}`, async () => {
      const body = form === "in the stream" ? [events(chunk)] : [JSON.stringify(chunk)]
      const ports = { transport: fakeTransport({ body }), clock: manualClock(), credential: null }
      const { reply } = await collect(openaiCompletions(modelOf(), ports))
      assert.equal(!reply.ok && reply.failure.kind, kind, JSON.stringify(reply))
      assert.match(reply.ok ? "" : reply.failure.message, words)
    })
}

test("a chunk without choices and without an error is no error", async () => {
  const chunks = [
    { type: "ping" },
    { choices: [], usage: { prompt_tokens: 1 } },
    { base_resp: { status_code: 0, status_msg: "" } },
    { message: "", choices: [{ index: 0, delta: { content: "a" }, finish_reason: "stop" }] },
  ]
  const ports = { transport: fakeTransport({ body: [events(...chunks)] }), clock: manualClock(), credential: null }
  const { reply } = await collect(openaiCompletions(modelOf(), ports))
  assert.deepEqual(reply.ok && reply.message.content, [{ type: "text", text: "a" }])
})

test("Google's limit per minute is retried, as in its own format", async () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1.5s" }]
  const error = { code: 429, message: "You exceeded your current quota", status: "RESOURCE_EXHAUSTED", details }
  const transport = fakeTransport({ status: 429, body: [JSON.stringify([{ error }])] })
  const { reply } = await collect(openaiCompletions(modelOf(), { transport, clock: manualClock(), credential: null }))
  assert.equal(!reply.ok && reply.failure.kind, "rate-limit")
  assert.equal(!reply.ok && reply.failure.retryAfterMs, 1500)
})
