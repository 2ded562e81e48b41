import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, FailureError, type Model, type Transport } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import type { ExchangeLine, RecordLine, RecordedSettings } from "../../src/record/lines.ts"
import { recorder } from "../../src/record/recorder.ts"

const model = { provider: "p", id: "m", headers: { "x-own": "secret-value" }, baseUrl: "http://me:pw@here/v1" }
const key = "sk-a-long-key"

function stage(network: Transport["send"], append: (text: string) => void, size = 0) {
  const clock = manualClock()
  const printed: string[] = []
  const redact = (text: string) => text.replaceAll(key, "[redacted]")
  const made = recorder({
    transport: () => ({ send: network }),
    file: { size, append },
    clock,
    keys: () => [key],
    redact,
  })
  made.begin({ leaf: () => "leaf", settings: () => ({}) as RecordedSettings, ended: (why) => printed.push(why) })
  const transport = made.over(model as unknown as Model)
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const ask = async (body: string, signal = new AbortController().signal): Promise<string> => {
    const url = "http://me:pw@here/v1/x"
    const bytes: Uint8Array[] = []
    const response = await transport.send({ url, method: "POST", headers, body: [Buffer.from(body)], signal })
    for await (const chunk of response.body) bytes.push(chunk)
    return Buffer.concat(bytes).toString()
  }
  return { ask, printed, flush: made.flush, clock }
}

async function* replying(...pieces: readonly string[]) {
  for (const piece of pieces) yield Buffer.from(piece)
}

const headers = { "set-cookie": key, "content-type": "text/event-stream" }

test("one line per exchange, written afterwards, without keys, own headers, cookies, users or passwords", async () => {
  const written: string[] = []
  const send: Transport["send"] = async () => ({ status: 200, headers, body: replying("you sent ", key) })
  const { ask, clock } = stage(send, (text) => written.push(text))
  assert.equal(await ask(`one ${key}`), `you sent ${key}`, "the session gets what came")
  assert.deepEqual(written, [])
  await clock.advance(20)
  const lines = written
    .join("")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordLine)
  assert.deepEqual(
    lines.map(({ type }) => type),
    ["session", "model", "exchange"],
  )
  assert.doesNotMatch(written.join(""), /sk-a-long|secret-value|me:pw/)
  const exchange = lines[2] as ExchangeLine
  assert.deepEqual(exchange.response, {
    status: 200,
    headers: { "content-type": "text/event-stream" },
    text: "you sent [redacted]",
  })
  assert.deepEqual([exchange.url, exchange.end], ["http://here/v1/x", { kind: "done" }])
})

test("the end of an exchange is recorded: broken by the network, or abandoned by a stop", async () => {
  const written: string[] = []
  const gone = new FailureError(failure("network", `reset by ${key}`))
  const send: Transport["send"] = () => Promise.reject(gone)
  const { ask, flush } = stage(send, (text) => written.push(text))
  const stopped = AbortSignal.abort()
  for (const signal of [undefined, stopped]) await assert.rejects(ask("x", signal), gone)
  flush()
  const ends = written
    .join("")
    .trim()
    .split("\n")
    .flatMap((text) => {
      const line = JSON.parse(text) as RecordLine
      return line.type === "exchange" ? [line.end] : []
    })
  const broken = { kind: "network", message: "reset by [redacted]", retryable: true }
  assert.deepEqual(ends, [{ kind: "broken", failure: broken }, { kind: "left" }])
})

test("a disk error and a full recording end it with one message; the session continues", async () => {
  const send: Transport["send"] = async () => ({ status: 200, headers: {}, body: replying("hi") })
  let tries = 0
  const full = (): never => {
    tries += 1
    throw new Error("ENOSPC: no space left")
  }
  for (const [append, size, why] of [
    [full, 0, /ENOSPC/],
    [() => assert.fail("nothing more is written"), 256 * 1024 ** 2, /more than 256 MB/],
  ] as const) {
    const { ask, printed, flush } = stage(send, append, size)
    for (let count = 0; count < 3; count++) {
      assert.equal(await ask("x"), "hi")
      flush()
    }
    assert.equal(printed.length, 1)
    assert.match(printed[0] ?? "", why)
  }
  assert.equal(tries, 1)
})
