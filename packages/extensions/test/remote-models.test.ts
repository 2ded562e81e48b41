import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf, failure, FailureError, type TransportRequest } from "@gong/spec"
import type { ExtensionHost } from "../src/host/host.ts"
import { type CallOptions, ExtensionError } from "../src/host/open-calls.ts"
import type { Call, Problem } from "../src/protocol.ts"
import { remoteTransport } from "../src/remote/remote-models.ts"

type Answer = (call: Call, options: CallOptions) => Promise<unknown>

/** The transport to an extension that answers as given. */
function transportOf(answer: Answer, isOff = () => false) {
  const host: ExtensionHost = {
    begin: () => undefined,
    loaded: async () => new Map(),
    ended: false,
    assumed: new Map(),
    registrations: Promise.resolve(new Map()),
    call: (call, options = {}) => answer(call, options),
    isOff,
    end: () => undefined,
  }
  return remoteTransport({ id: 4, name: "ext", host }, "corp")
}

const request = (more: Partial<TransportRequest> = {}): TransportRequest => ({
  url: "http://x",
  method: "POST",
  headers: {},
  body: [],
  signal: new AbortController().signal,
  ...more,
})

async function textOf(answer: Answer, more: Partial<TransportRequest> = {}): Promise<string> {
  const { body } = await transportOf(answer).send(request(more))
  let text = ""
  for await (const bytes of body) text += Buffer.from(bytes).toString()
  return text
}

async function failureOf(work: Promise<unknown>) {
  const error = await work.then(
    () => assert.fail("it has not failed"),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof FailureError)
  return error.failure
}

const problem = (more: Partial<Problem> = {}): Problem => ({
  message: "boom",
  stack: "",
  path: null,
  line: null,
  ...more,
})
const thrown = (message: string, more: Partial<Problem> = {}) => new ExtensionError(message, null, false, problem(more))

test("a request calls the provider with its body and its key; the chunks are events", async () => {
  const calls: unknown[] = []
  const parts = ["{", '"a":1', "}"].map((text) => Buffer.from(text))
  const taken: string[] = []
  const answer: Answer = async (call, { chunk }) => {
    const [body, credential] = call.args as [Uint8Array, unknown]
    calls.push([call.extension, call.target, Buffer.from(body).toString(), body.buffer.byteLength, credential])
    for (const json of ["1", '{"b":2}']) chunk?.(json, () => void taken.push(json))
    return null
  }
  const transport = transportOf(answer)
  const { status, headers, body } = await transport.send(
    request({ body: parts, headers: { authorization: "Bearer key Bearer " } }),
  )
  assert.deepEqual([status, headers, calls], [200, { "content-type": "text/event-stream" }, []])
  let text = ""
  for await (const bytes of body) text += Buffer.from(bytes).toString()
  assert.equal(text, 'data: 1\n\ndata: {"b":2}\n\n')
  assert.deepEqual(taken, ["1", '{"b":2}'])
  assert.deepEqual(calls, [[4, { kind: "provider", key: "corp" }, '{"a":1}', 7, "key Bearer "]])
  await textOf(async (call) => assert.equal(call.args[1], null))
})

test("a chunk is consumed when the next one is read, and later chunks wake the reader", async () => {
  const taken: string[] = []
  const { promise, resolve } = Promise.withResolvers<undefined>()
  let chunk: CallOptions["chunk"]
  const { body } = await transportOf(async (_, options) => {
    chunk = options.chunk
    await promise
  }).send(request())
  const pieces = body[Symbol.asyncIterator]()
  const first = pieces.next()
  await new Promise((done) => setImmediate(done))
  chunk?.("1", () => void taken.push("1"))
  assert.equal(Buffer.from((await first).value as Uint8Array).toString(), "data: 1\n\n")
  assert.equal(taken.length, 0)
  const second = pieces.next()
  await new Promise((done) => setImmediate(done))
  assert.equal(taken.join(), "1")
  chunk?.("2", () => void taken.push("2"))
  await second
  const end = pieces.next()
  resolve(undefined)
  assert.deepEqual([(await end).done, taken], [true, ["1", "2"]])
})

test("a reader that stops, and an abort, stop the call", async () => {
  let stopped: AbortSignal | undefined
  const hangs: Answer = async (_, { signal, chunk }) => {
    stopped = signal
    chunk?.("1", () => undefined)
    return new Promise(() => undefined)
  }
  const { body } = await transportOf(hangs).send(request())
  for await (const _ of body) break
  assert.equal(stopped?.aborted, true)
  const stop = new AbortController()
  const reading = failureOf(textOf(hangs, { signal: stop.signal }))
  await new Promise((done) => setImmediate(done))
  assert.equal(stopped?.aborted, false)
  stop.abort()
  const failed = await reading
  assert.deepEqual([failed.kind, failed.message, stopped?.aborted], ["aborted", "Operation aborted", true])
})

test("an aborted request is not sent; the failure is that of its signal, if it has one", async () => {
  let calls = 0
  const transport = transportOf(async () => (calls += 1))
  const aborted = await failureOf(transport.send(request({ signal: AbortSignal.abort() })))
  assert.deepEqual([aborted.kind, aborted.message], ["aborted", "Operation aborted"])
  const reason = new FailureError(failure("stalled", "too slow"))
  assert.equal((await failureOf(transport.send(request({ signal: AbortSignal.abort(reason) })))).kind, "stalled")
  assert.equal(calls, 0)
})

test("a provider of an extension that is off cannot be asked", async () => {
  const off = await failureOf(
    transportOf(
      async () => null,
      () => true,
    ).send(request()),
  )
  const expected = ["bad-request", "corp cannot be asked: the extension ext is off", "Mend it; /reload loads it again."]
  assert.deepEqual([off.kind, off.message, off.hint], expected)
  for (const [isOff, kind, message] of [
    [true, "bad-request", expected[1]],
    [false, "network", "it is gone"],
  ] as const) {
    let began = false
    const transport = transportOf(
      async () => {
        began = true
        throw new ExtensionError("it is gone", null, true)
      },
      () => began && isOff,
    )
    const { body } = await transport.send(request())
    const failed = await failureOf(body[Symbol.asyncIterator]().next())
    assert.deepEqual([failed.kind, failed.message], [kind, message])
  }
})

test("a thrown error with a status is an answer; one of a connection can be retried, any other cannot", async () => {
  assert.equal(
    await textOf(() => Promise.reject(thrown("no credit", { status: 402 }))),
    'data: {"type":"failure","message":"no credit","status":402}\n\n',
  )
  for (const [message, more, kind, text] of [
    ["x", { code: "ECONNRESET" }, "network", "ECONNRESET x"],
    ["x", { code: "UND_ERR_SOCKET" }, "network", "UND_ERR_SOCKET x"],
    ["fetch failed", {}, "network", "fetch failed"],
    ["terminated", {}, "network", "terminated"],
    ["fetch failed again", {}, "bad-reply", "corp: fetch failed again"],
    ["it terminated", {}, "bad-reply", "corp: it terminated"],
    ["x", { code: "MY_ECODE" }, "bad-reply", "corp: x"],
    ["x", { code: "E1" }, "bad-reply", "corp: x"],
  ] as const) {
    const failed = await failureOf(textOf(() => Promise.reject(thrown(message, more))))
    assert.deepEqual([failed.kind, failed.message], [kind, text])
    if (kind === "bad-reply") assert.deepEqual([failed.retryable, failed.hint], [false, undefined])
  }
  const placed = await failureOf(textOf(() => Promise.reject(thrown("x", { path: "/x/a.ts", line: 7 }))))
  assert.equal(englishOf(placed.hint ?? ""), "It was thrown at /x/a.ts:7.")
  const bare = await failureOf(textOf(() => Promise.reject(new ExtensionError("x", null))))
  assert.deepEqual([bare.kind, bare.hint], ["bad-reply", undefined])
  await assert.rejects(
    textOf(() => Promise.reject(new TypeError("a fault of ours"))),
    TypeError,
  )
})

test("a reply of 8 million characters is read, one of a character more ends", async () => {
  const half = "1".repeat(4_000_000)
  const sized =
    (...chunks: readonly string[]): Answer =>
    async (_, { chunk }) => {
      for (const json of chunks) {
        chunk?.(json, () => undefined)
        await new Promise((done) => setImmediate(done))
      }
    }
  assert.equal((await textOf(sized(half, half))).length, 8_000_016)
  const failed = await failureOf(textOf(sized(half, half, "1")))
  assert.deepEqual(
    [failed.kind, failed.message, failed.provider, failed.retryable],
    ["bad-reply", "corp gave more than 8 million characters for one reply", "corp", false],
  )
})
