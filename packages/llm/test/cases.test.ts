import assert from "node:assert/strict"
import { test } from "node:test"
import {
  apis,
  type ModelRequest,
  type PartialUpdate,
  type Failure,
  type ImageContent,
  type Model,
  type Reply,
  textOf,
  userText,
} from "@gong/spec"
import type { Turn } from "@gong/testing/model-server/turn"
import { manualClock, type ManualClock, settle } from "@gong/testing/sim/clock"
import { simTransport } from "@gong/testing/sim/transport"
import { openProvider } from "../src/index.ts"
import { requestWith, modelOf } from "./helpers.ts"
import { targets } from "./transcripts/targets.ts"

// Every wire format, and every provider over each of its formats, through the same cases, against a mock server that rejects
// the real API would. The providers are those of the table; the real behavior of few of them is known.

const hello = "Hello 世界 😀"
const full: Turn = { thinking: "Hm, ü.", text: hello, calls: [{ name: "ls", args: { path: "ü" } }] }
const ls = {
  name: "ls",
  description: "lists",
  parameters: { type: "object", properties: { path: { type: "string" } } },
}

/** Fields of single providers, which the format itself lacks; `transcripts/` lists the providers that send them. */
const ownFields = ["thinking", "enable_thinking", "reasoning", "reasoning_content", "tool_stream"]

interface RequestContext {
  readonly reply: Reply
  readonly partials: readonly PartialUpdate[]
  /** Of the request, as sent. */
  readonly body: string
}

/** The plain wire formats prove the rows; then the providers. */
const subjects: readonly { readonly name: string; readonly row: string; readonly model: Model }[] = [
  ...apis.map((api) => ({ name: api, row: "[PROVIDER-ADP.1] ", model: modelOf({ api }) })),
  ...(await targets()).map(({ name, model }) => ({ name, row: "", model })),
]

for (const { name, row, model: subject } of subjects) {
  /** One request with one turn; `meanwhile` runs after everything available has arrived. */
  async function asked(
    turn: Turn,
    more: Partial<ModelRequest> = {},
    meanwhile?: (clock: ManualClock) => unknown,
  ): Promise<RequestContext> {
    const clock = manualClock()
    const server = simTransport({ clock, turns: [turn], extensions: { request: ownFields, message: ownFields } })
    const model = { ...subject, baseUrl: "http://model.test/v1" }
    const provider = await openProvider(model, { transport: server, clock, credential: { key: "k", from: "X" } })
    const stream = provider.stream(requestWith({ tools: [ls], thinking: "high", ...more }))
    const partials: PartialUpdate[] = []
    const over = (async () => {
      for (;;) {
        const next = await stream.next()
        if (next.done) return next.value
        partials.push(next.value)
      }
    })()
    for (let round = 0; round < 5; round++) await settle()
    await meanwhile?.(clock)
    const reply = await over
    assert.deepEqual(server.problems, [])
    return { reply, partials, body: JSON.stringify(server.requests[0]?.body) }
  }

  async function failed(
    fault: Turn["fault"],
    ...more: [Partial<ModelRequest>?, Parameters<typeof asked>[2]?]
  ): Promise<Failure> {
    const { reply } = await asked({ ...full, delta: 1, ...(fault ? { fault } : {}) }, ...more)
    assert.ok(!reply.ok)
    return reply.failure
  }

  test(`${row}${name}: text, reasoning and a call arrive complete, in any chunks`, async () => {
    for (const form of [
      {},
      { chunkBytes: 1 },
      { delta: 1, argDelta: 1 },
      { fault: { kind: "not-streamed" } as const },
    ]) {
      const { reply, partials, body } = await asked({ ...full, ...form })
      assert.ok(reply.ok, JSON.stringify(reply))
      const { content, stopReason, usage } = reply.message
      assert.deepEqual([textOf(reply.message), stopReason], [hello, "tool_calls"])
      assert.equal(usage.output, subject.compat?.addReasoningTokens ? 40 + usage.reasoning : 40)
      assert.deepEqual(
        content.map((block) => (block.type === "tool_call" ? block.arguments : block.text)),
        ["Hm, ü.", hello, { path: "ü" }],
      )
      assert.equal(partials[0]?.type, "start")
      assert.ok(body.includes('"ls"'))
    }
  })

  test(`${row}${name}: an image is sent inline`, async () => {
    const image: ImageContent = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" }
    const { reply, body } = await asked({ text: hello }, { messages: [userText("look", [image])] })
    assert.ok(reply.ok)
    assert.ok(body.includes(subject.images ? image.data : "image left out"))
  })

  test(`${name}: each refusal is a failure of its kind`, async () => {
    const kind = async (status: number, more = {}) => (await failed({ kind: "status", status, ...more })).kind
    assert.equal(await kind(400, { overflow: true }), "context-overflow")
    assert.equal(await kind(401), "auth")
    assert.equal(await kind(500), "overloaded")
    assert.equal(await kind(503), "overloaded")
    const slow = await failed({ kind: "status", status: 429, retryAfter: "7" })
    assert.deepEqual([slow.kind, slow.retryable, slow.retryAfterMs], ["rate-limit", true, 7000])
  })

  test(`${name}: a stall, a drop, half a reply, an empty one, a web page and noise end, and are retryable`, async () => {
    const wait = (clock: ManualClock) => clock.advance(700_000)
    const stalls = ["connect", "headers", { chunks: 3 }] as const
    for (const after of stalls) assert.equal((await failed({ kind: "stall", after }, {}, wait)).kind, "stalled")
    for (const after of ["connect", "headers", { bytes: 90 }] as const)
      assert.equal((await failed({ kind: "drop", after })).kind, "network")
    const cut = await failed({ kind: "cut", after: { chunks: 3 } })
    assert.deepEqual([cut.kind, cut.retryable], ["network", true])
    assert.equal((await failed({ kind: "cut", after: { bytes: 0 } })).kind, "bad-reply")
    assert.equal((await failed({ kind: "malformed", after: { chunks: 2 } })).kind, "bad-reply")
    assert.equal((await failed({ kind: "body", body: "garbage" })).retryable, true)
    const page = await failed({ kind: "body", body: "html" })
    assert.deepEqual([page.kind, page.retryable], ["bad-reply", false])
  })

  test(`${name}: an error or an abort in the middle keeps the content so far`, async () => {
    const { reply } = await asked({ ...full, delta: 1, fault: { kind: "error-event", after: { chunks: 6 } } })
    assert.ok(!reply.ok)
    assert.equal(reply.failure.kind, "overloaded")
    assert.match(JSON.stringify(reply.partial?.content), /"Hm/)
    const stop = new AbortController()
    const left = await asked(
      { ...full, delta: 1, fault: { kind: "stall", after: { chunks: 6 } } },
      { signal: stop.signal },
      () => stop.abort(),
    )
    assert.ok(!left.reply.ok)
    assert.deepEqual([left.reply.failure.kind, left.reply.partial?.stopReason], ["aborted", "aborted"])
    assert.match(JSON.stringify(left.reply.partial?.content), /"Hm/)
  })
}
