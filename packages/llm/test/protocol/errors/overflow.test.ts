import assert from "node:assert/strict"
import { test } from "node:test"
import type { Failure, Message } from "@gong/spec"
import { apis, userText } from "@gong/spec"
import { openProvider } from "../../../src/index.ts"
import { requestWith, collect, fakeTransport, manualClock, modelOf } from "../../helpers.ts"
import { others, overflows, type RefusalCase } from "./overflow-cases.ts"

async function refusedBy(
  refusal: Omit<RefusalCase, "host" | "source">,
  messages?: readonly Message[],
): Promise<Failure> {
  const { status, body, api = "openai-completions" } = refusal
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const transport = fakeTransport({ status, body: text === "" ? [] : [text] })
  const ports = { transport, clock: manualClock(), credential: { key: "k", from: "X" } }
  const provider = await openProvider(modelOf({ api }), ports)
  const { reply } = await collect(provider, requestWith(messages ? { messages } : {}))
  assert.ok(!reply.ok)
  return reply.failure
}

for (const refusal of overflows)
  test(`[PROVIDER-ADP.7] ${refusal.host}: a prompt longer than the window is an overflow`, async () => {
    const { kind, message, retryable } = await refusedBy(refusal)
    assert.deepEqual([kind, retryable], ["context-overflow", false], message)
  })

test("[PROVIDER-ADP.7] the hosts cover every wire format", () => {
  const spoken = overflows.map(({ api = "openai-completions" }) => api)
  assert.deepEqual([...new Set(spoken)].toSorted(), [...apis].toSorted())
})

for (const refusal of others)
  test(`[PROVIDER-OVF.10] ${refusal.host}: a refusal for another reason is no overflow`, async () => {
    const { kind, message } = await refusedBy(refusal)
    assert.notEqual(kind, "context-overflow", message)
  })

/** Estimated tokens: about 1.3 per word. */
const prompt = (tokens: number) => [userText("word ".repeat(tokens / 1.3))]
const window = modelOf().contextWindow

test("a refusal without a cause is an overflow if the estimated prompt is far longer than the window", async () => {
  for (const status of [400, 413, 422]) {
    const refusal = { status, body: { error: { message: "Bad Request" } } }
    assert.equal((await refusedBy(refusal, prompt(2 * window))).kind, "context-overflow", `${status}`)
  }
  const unsaid = { status: 400, body: { error: { message: "Bad Request" } } }
  assert.equal(
    (await refusedBy(unsaid, prompt(1.2 * window))).kind,
    "bad-request",
    "an estimate may be wrong by a fifth",
  )
  assert.equal((await refusedBy(unsaid)).kind, "bad-request")
})

test("a refusal with another cause is no overflow, whatever the length of the prompt", async () => {
  for (const refusal of others) {
    const { kind, message } = await refusedBy(refusal, prompt(2 * window))
    assert.notEqual(kind, "context-overflow", message)
  }
  for (const status of [401, 402, 403, 404, 408, 409, 429, 500, 502, 503, 529]) {
    const { kind } = await refusedBy({ status, body: { error: { message: "no" } } }, prompt(2 * window))
    assert.notEqual(kind, "context-overflow", `${status}`)
  }
})

test("an overflow code counts only as a code, not inside another message", async () => {
  const refusal = { status: 400, body: { error: { message: "messages.1261: unknown role", code: "1210" } } }
  assert.equal((await refusedBy(refusal)).kind, "bad-request")
})
