import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, FailureError, type TransportRequest } from "@gong/spec"
import type { Difference } from "../../../../src/commands/sessions/replay/difference.ts"
import { createBlockedOperations } from "../../../../src/commands/sessions/replay/blocked.ts"
import type { Exchange } from "../../../../src/commands/sessions/replay/recording.ts"
import { replayTransport } from "../../../../src/commands/sessions/replay/transport.ts"

const recorded = { method: "POST", url: "https://h/v1", end: { kind: "done" }, response: null }
const answer = (more: object = {}) => ({ status: 200, headers: { a: "b" }, text: "hello", ...more })

function request(more: Partial<TransportRequest> = {}): TransportRequest {
  const signal = new AbortController().signal
  return {
    method: "POST",
    url: "https://h/v1",
    headers: {},
    body: [Buffer.from("bo"), Buffer.from("dy")],
    signal,
    ...more,
  }
}

/** A transport with one exchange, whose body was `body`; its request is sent at once. */
function transportOf(exchange: object | null) {
  const blocked = createBlockedOperations()
  const differences: Difference[] = []
  const transport = replayTransport({
    blocked,
    next: () => exchange && ({ ...recorded, ...exchange } as unknown as Exchange),
    bodyOf: () => Buffer.from("body"),
    onDifference: (_, difference) => void differences.push(difference),
  })
  const send = async (given: TransportRequest) => {
    const sent = transport.send(given)
    await Promise.resolve()
    for (const one of blocked.all) if (one.kind === "request") one.resume()
    return sent
  }
  return { blocked, differences, transport, send }
}

/** The text of a body, and its failure. */
async function read(body: AsyncIterable<Uint8Array>) {
  const pieces: string[] = []
  try {
    for await (const piece of body) pieces.push(Buffer.from(piece).toString())
  } catch (error) {
    assert.ok(error instanceof FailureError)
    return [...pieces, error.failure.kind, String(error.failure.message)]
  }
  return pieces
}

test("a request gets its recorded response when it is resumed", async () => {
  const { blocked, transport, differences } = transportOf({ response: answer() })
  const sent = transport.send(request())
  await Promise.resolve()
  const [held] = blocked.all
  assert.ok(held?.kind === "request" && held.exchange.url === "https://h/v1")
  held.resume()
  const { status, headers, body } = await sent
  assert.deepEqual([status, headers, await read(body)], [200, { a: "b" }, ["hello"]])
  assert.deepEqual([blocked.all.size, differences], [0, []])
})

test("a body is stored as text or base64; an empty one has no chunk", async () => {
  for (const [more, expected] of [
    [{ text: undefined, base64: "aGk=" }, ["hi"]],
    [{ text: "" }, []],
    [{ text: undefined }, []],
  ] as const) {
    const { body } = await transportOf({ response: answer(more) }).send(request())
    assert.deepEqual(await read(body), expected)
  }
})

test("a request with another method, URL or body is a difference, and gets no response", async () => {
  for (const [more, recordedText, replayed] of [
    [{ method: "GET" }, "POST https://h/v1", "GET https://h/v1"],
    [{ url: "https://h/v2" }, "POST https://h/v1", "POST https://h/v2"],
    [{ body: [Buffer.from("other")] }, '"body"', '"other"'],
  ] as const) {
    const { transport, differences, blocked } = transportOf({ response: answer() })
    let settled = false
    const over = (): void => void (settled = true)
    transport.send(request(more as Partial<TransportRequest>)).then(over, over)
    await new Promise(setImmediate)
    assert.deepEqual(differences, [{ path: "", recorded: recordedText, replayed }])
    assert.deepEqual([settled, blocked.all.size], [false, 0])
  }
})

test("a request without a recording gets no response", async () => {
  const { transport, blocked, differences } = transportOf(null)
  let settled = false
  const over = (): void => void (settled = true)
  transport.send(request()).then(over, over)
  await new Promise(setImmediate)
  assert.deepEqual([settled, blocked.all.size, differences], [false, 0, []])
})

test("a broken connection fails again, before the response or after its bytes", async () => {
  const end = { kind: "broken", failure: { kind: "network", message: "reset", retryable: true } }
  await assert.rejects(transportOf({ end }).send(request()), (error) => {
    assert.ok(error instanceof FailureError)
    const { kind, message, retryable } = error.failure
    assert.deepEqual([kind, message, retryable], ["network", "reset", true])
    return true
  })
  const { body } = await transportOf({ end, response: answer() }).send(request())
  assert.deepEqual(await read(body), ["hello", "network", "reset"])
})

test("an open connection stays open until the request is aborted, and rejects with its reason", async () => {
  const silence = new FailureError(failure("network", "too long"))
  for (const [reason, ...expected] of [
    [silence, "network", "too long"],
    ["any", "aborted", "Operation aborted"],
  ] as const) {
    const stopping = new AbortController()
    const { send, blocked } = transportOf({ end: { kind: "left" }, response: answer() })
    const { body } = await send(request({ signal: stopping.signal }))
    const reading = read(body)
    await new Promise(setImmediate)
    assert.deepEqual(
      [...blocked.all].map(({ kind }) => kind),
      ["open-stream"],
    )
    stopping.abort(reason)
    assert.deepEqual(await reading, ["hello", ...expected])
    assert.equal(blocked.all.size, 0)
  }
  const stopped = transportOf({ end: { kind: "left" } }).send(request({ signal: AbortSignal.abort(silence) }))
  await assert.rejects(stopped, silence)
})
