import assert from "node:assert/strict"
import { test } from "node:test"
import type { Model, Transport, TransportRequest } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import type { ExchangeLine, RecordLine, RecordedSettings } from "../../src/record/lines.ts"
import { recorder } from "../../src/record/recorder.ts"
import { observedBody } from "../../src/record/observed-body.ts"

const key = "sk-a-long-key"
const modelOf = (id: string) => ({ provider: "p", id, baseUrl: "http://here" }) as unknown as Model
const mega = 1024 ** 2

interface StageOptions {
  readonly size?: number
  readonly send?: Transport["send"]
  readonly body?: () => AsyncIterable<Uint8Array>
  readonly headers?: Readonly<Record<string, string>>
}

async function* replying(...pieces: readonly (string | Uint8Array)[]) {
  for (const piece of pieces) yield Buffer.from(piece)
}

function stage({ size = 0, body = () => replying("hi"), headers = {}, send }: StageOptions = {}) {
  const written: string[] = []
  const printed: string[] = []
  const log = { looks: 0, set: {} as Partial<RecordedSettings>, entries: 0 }
  const answer: Transport["send"] = async () => ({ status: 200, headers, body: body() })
  const made = recorder({
    transport: () => ({ send: send ?? answer }),
    file: { size, append: (text) => void written.push(text) },
    clock: manualClock(),
    keys: () => [key],
    redact: (text) => text.replaceAll(key, "[redacted]"),
  })
  const begin = () =>
    made.begin({
      leaf: () => `e${(log.entries += 1)}`,
      settings: () => ((log.looks += 1), log.set as RecordedSettings),
      ended: (why) => printed.push(why),
    })
  const request: TransportRequest = {
    url: "http://here/v1",
    method: "POST",
    headers: {},
    body: [Buffer.from("x")],
    signal: new AbortController().signal,
  }
  const sendTo = (model: Model, change: Partial<TransportRequest> = {}) =>
    made.over(model).send({ ...request, ...change })
  const ask = async (model = modelOf("m"), change: Partial<TransportRequest> = {}): Promise<number> => {
    let length = 0
    for await (const chunk of (await sendTo(model, change)).body) length += chunk.length
    return length
  }
  const lines = (): readonly RecordLine[] => {
    made.flush()
    return written.flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line) as RecordLine)
  }
  const exchanges = () => lines().filter((line): line is ExchangeLine => line.type === "exchange")
  return { begin, ask, send: sendTo, log, printed, written, lines, exchanges, flush: made.flush }
}

test("nothing is recorded before the session exists; it still gets its replies", async () => {
  const { ask, lines } = stage()
  assert.equal(await ask(), 2)
  assert.deepEqual(lines(), [])
})

test("session configuration and model facts are written once, and again on a change", async () => {
  const { begin, ask, log, lines } = stage()
  begin()
  const [one, other, again] = [modelOf("m"), modelOf("n"), modelOf("m")]
  for (const model of [one, one, other, one, again]) await ask(model)
  log.set = { strict: true }
  await ask(again)
  const seen = lines().map((line) => {
    if (line.type === "session") return [line.version, line.set]
    return line.type === "model" ? line.model.id : [line.model, line.began, line.ended]
  })
  assert.deepEqual(seen, [
    [1, {}],
    "m",
    ["p/m", "e1", "e2"],
    ["p/m", "e3", "e4"],
    "n",
    ["p/n", "e5", "e6"],
    ["p/m", "e7", "e8"],
    "m",
    ["p/m", "e9", "e10"],
    [1, { strict: true }],
    ["p/m", "e11", "e12"],
  ])
})

test("a failed request has no response; binary data is kept", async () => {
  const binary = Buffer.from([0xff, 0xfe, 0x00])
  for (const [body, response] of [
    [() => replying("te", "xt ", key), { text: "text [redacted]" }],
    [() => replying(binary, key), { base64: Buffer.concat([binary, Buffer.from("[redacted]")]).toString("base64") }],
    [() => replying(), { text: "" }],
  ] as const) {
    const { begin, ask, exchanges } = stage({ body, headers: { "Content-Type": "a/b", "X-Other": "c" } })
    begin()
    await ask()
    assert.deepEqual(exchanges()[0]?.response, { status: 200, headers: { "content-type": "a/b" }, ...response })
  }
  const gone = stage({
    send: () => Promise.reject(new Error("gone")),
  })
  gone.begin()
  await assert.rejects(gone.ask(), /gone/)
  assert.equal(gone.exchanges()[0]?.response, null)
})

test("user and password are removed from the URL, and nothing else", async () => {
  const { begin, ask, exchanges } = stage()
  begin()
  for (const url of ["https://me:pw@here/v1", "https://here/v1?to=http://me:pw@there", "https://here/@x"])
    await ask(modelOf("m"), { url })
  assert.deepEqual(
    exchanges().map(({ url }) => url),
    ["https://here/v1", "https://here/v1?to=http://me:pw@there", "https://here/@x"],
  )
})

test("a broken body and an abandoned one end their exchange accordingly", async () => {
  async function* breaking() {
    yield Buffer.from("half")
    throw new Error(`reset by ${key}`)
  }
  const broken = stage({ body: breaking })
  broken.begin()
  await assert.rejects(broken.ask(), /reset/)
  const failure = { kind: "internal", message: "reset by [redacted]", retryable: false }
  assert.deepEqual(broken.exchanges()[0]?.end, { kind: "broken", failure })
  assert.equal(broken.exchanges()[0]?.response?.text, "half")

  const left = stage({ body: () => replying("one", "two") })
  left.begin()
  for await (const chunk of (await left.send(modelOf("m"))).body) {
    assert.equal(chunk.toString(), "one")
    break
  }
  assert.deepEqual(left.exchanges()[0]?.end, { kind: "left" })

  const unread = stage()
  unread.begin()
  await unread.send(modelOf("m"))
  assert.deepEqual(unread.exchanges(), [])
  await unread.ask()
  assert.deepEqual(
    unread.exchanges().map(({ end }) => end.kind),
    ["left", "done"],
  )
})

test("an observed body is closed on an early return, and yields nothing more", async () => {
  const log: string[] = []
  async function* body() {
    try {
      yield Buffer.from("one")
    } finally {
      log.push("closed")
    }
  }
  const watch = {
    onChunk: () => log.push("got"),
    onEnd: (kind: string) => log.push(kind),
    onError: () => log.push("broke"),
  }
  const chunks = observedBody(body(), watch)[Symbol.asyncIterator]()
  await chunks.next()
  assert.deepEqual(await chunks.return?.(), { done: true, value: undefined })
  assert.deepEqual(log, ["got", "left", "closed"])
})

test("a reply of 32 MB is recorded; one more byte ends the recording with one message, and the session continues", async () => {
  const block = Buffer.alloc(mega)
  const most = Array.from({ length: 32 }, () => block)
  const full = stage({ body: () => replying(...most) })
  full.begin()
  assert.equal(await full.ask(), 32 * mega)
  assert.deepEqual(full.printed, [])
  const over = stage({ body: () => replying(...most, "x", "y") })
  over.begin()
  assert.equal(await over.ask(), 32 * mega + 2)
  assert.deepEqual(over.printed, ["a reply has more than 32 MB"])
  assert.equal(await over.ask(), 32 * mega + 2)
  over.flush()
  assert.deepEqual([over.printed.length, over.written, over.log.looks], [1, [], 1])
})

test("a recording has at most 256 MB, exactly", async () => {
  const first = stage()
  first.begin()
  await first.ask()
  first.flush()
  const length = Buffer.byteLength(first.written.join(""))
  for (const [size, ended] of [
    [256 * mega - length, []],
    [256 * mega - length + 1, ["it would have more than 256 MB"]],
  ] as const) {
    const one = stage({ size })
    one.begin()
    await one.ask()
    one.flush()
    assert.deepEqual([one.printed, one.written.length], [ended, 1 - ended.length])
  }
})
