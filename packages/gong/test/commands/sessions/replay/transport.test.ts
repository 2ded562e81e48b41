import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, FailureError, type TransportRequest } from "@gong/spec"
import type { Difference } from "../../../../src/commands/sessions/replay/difference.ts"
import { createHolds } from "../../../../src/commands/sessions/replay/holds.ts"
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

/** A transport that has one exchange, whose body was `body`; its request is let go at once. */
function transportOf(exchange: object | null) {
  const holds = createHolds()
  const differences: Difference[] = []
  const transport = replayTransport({
    holds,
    next: () => exchange && ({ ...recorded, ...exchange } as unknown as Exchange),
    bodyOf: () => Buffer.from("body"),
    differs: (_, difference) => void differences.push(difference),
  })
  const send = async (given: TransportRequest) => {
    const sent = transport.send(given)
    await Promise.resolve()
    for (const one of holds.held) if (one.kind === "request") one.go()
    return sent
  }
  return { holds, differences, transport, send }
}

/** The text of a body, and what it failed with. */
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

test("a request is answered as it was recorded, when it is let go", async () => {
  const { holds, transport, differences } = transportOf({ response: answer() })
  const sent = transport.send(request())
  await Promise.resolve()
  const [held] = holds.held
  assert.ok(held?.kind === "request" && held.exchange.url === "https://h/v1")
  held.go()
  const { status, headers, body } = await sent
  assert.deepEqual([status, headers, await read(body)], [200, { a: "b" }, ["hello"]])
  assert.deepEqual([holds.held.size, differences], [0, []])
})

test("bytes are those of the text or of base64; none give no piece", async () => {
  for (const [more, expected] of [
    [{ text: undefined, base64: "aGk=" }, ["hi"]],
    [{ text: "" }, []],
    [{ text: undefined }, []],
  ] as const) {
    const { body } = await transportOf({ response: answer(more) }).send(request())
    assert.deepEqual(await read(body), expected)
  }
})

test("a request with another method, address or body differs, and is never answered", async () => {
  for (const [more, recordedText, replayed] of [
    [{ method: "GET" }, "POST https://h/v1", "GET https://h/v1"],
    [{ url: "https://h/v2" }, "POST https://h/v1", "POST https://h/v2"],
    [{ body: [Buffer.from("other")] }, '"body"', '"other"'],
  ] as const) {
    const { transport, differences, holds } = transportOf({ response: answer() })
    let settled = false
    const over = (): void => void (settled = true)
    transport.send(request(more as Partial<TransportRequest>)).then(over, over)
    await new Promise(setImmediate)
    assert.deepEqual(differences, [{ path: "", recorded: recordedText, replayed }])
    assert.deepEqual([settled, holds.held.size], [false, 0])
  }
})

test("what was not recorded is never answered", async () => {
  const { transport, holds, differences } = transportOf(null)
  let settled = false
  const over = (): void => void (settled = true)
  transport.send(request()).then(over, over)
  await new Promise(setImmediate)
  assert.deepEqual([settled, holds.held.size, differences], [false, 0, []])
})

test("a line that broke breaks again, before its answer or behind its bytes", async () => {
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

test("a line that stayed open is open until its request is stopped, and fails with the reason of that", async () => {
  const silence = new FailureError(failure("network", "too long"))
  for (const [reason, ...expected] of [
    [silence, "network", "too long"],
    ["any", "aborted", "Operation aborted"],
  ] as const) {
    const stopping = new AbortController()
    const { send, holds } = transportOf({ end: { kind: "left" }, response: answer() })
    const { body } = await send(request({ signal: stopping.signal }))
    const reading = read(body)
    await new Promise(setImmediate)
    assert.deepEqual(
      [...holds.held].map(({ kind }) => kind),
      ["open-line"],
    )
    stopping.abort(reason)
    assert.deepEqual(await reading, ["hello", ...expected])
    assert.equal(holds.held.size, 0)
  }
  const stopped = transportOf({ end: { kind: "left" } }).send(request({ signal: AbortSignal.abort(silence) }))
  await assert.rejects(stopped, silence)
})
