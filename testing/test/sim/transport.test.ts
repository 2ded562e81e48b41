import assert from "node:assert/strict"
import { test } from "node:test"
import type { TransportRequest } from "@gong/spec"
import type { Turn } from "../../src/model-server.ts"
import { manualClock } from "../../src/sim/clock.ts"
import { simTransport } from "../../src/sim/transport.ts"

const ask = { model: "m", stream: true, messages: [{ role: "user", content: "hi" }] }

function requestOf(body: unknown, signal = new AbortController().signal): TransportRequest {
  const text = JSON.stringify(body)
  const parts = [Buffer.from(text.slice(0, 10)), Buffer.from(text.slice(10))]
  return {
    url: "http://127.0.0.1:1/v1/chat/completions",
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: parts,
    signal,
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts).toString()
}

test("plays the turns of a script and records the requests", async () => {
  const transport = simTransport({ clock: manualClock(), turns: [{ text: "hello" }] })
  const response = await transport.send(requestOf(ask))
  assert.equal(response.status, 200)
  assert.match(await textOf(response.body), /"content":"hello"/)
  assert.deepEqual(transport.requests[0]?.body, ask)
  assert.deepEqual([transport.problems, transport.left], [[], 0])
})

test("a delayed reply takes simulated time", async () => {
  const clock = manualClock(0)
  const transport = simTransport({ clock, turns: [{ text: "ab", delta: 1, delayMs: 1000 }] })
  const text = transport.send(requestOf(ask)).then((response) => textOf(response.body))
  assert.equal(await clock.runUntilIdle(), 6000)
  assert.match(await text, /DONE/)
})

test("a dropped connection is a failure of kind network, before and after the head", async () => {
  const drop = (after: "connect" | "headers" | { chunks: number }): Turn => ({
    text: "x",
    fault: { kind: "drop", after },
  })
  const transport = simTransport({
    clock: manualClock(),
    turns: [drop("connect"), drop("headers"), drop({ chunks: 1 })],
  })
  await assert.rejects(transport.send(requestOf(ask)), {
    name: "FailureError",
    message: "127.0.0.1:1 closed the connection",
  })
  for (let i = 0; i < 2; i++) {
    const { body } = await transport.send(requestOf(ask))
    await assert.rejects(textOf(body), { name: "FailureError" })
  }
})

test("a stall ends with the caller's abort", async () => {
  const turns: Turn[] = [
    { fault: { kind: "stall", after: "connect" } },
    { text: "x", fault: { kind: "stall", after: { chunks: 1 } } },
  ]
  const transport = simTransport({ clock: manualClock(), turns })
  for (const at of ["head", "body"]) {
    const controller = new AbortController()
    const got = transport.send(requestOf(ask, controller.signal)).then((response) => textOf(response.body))
    controller.abort(new Error(`left in the ${at}`))
    await assert.rejects(got, new RegExp(`left in the ${at}`))
  }
})

test("an invalid request is refused and recorded", async () => {
  const transport = simTransport({ clock: manualClock(), turns: [{ text: "x" }] })
  assert.equal((await transport.send(requestOf({ model: "m", messages: [] }))).status, 400)
  assert.equal(transport.problems.length, 1)
})
