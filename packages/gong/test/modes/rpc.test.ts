import assert from "node:assert/strict"
import { test } from "node:test"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { Event } from "@gong/spec"
import { linesOf } from "../../src/modes/rpc/lines.ts"
import { outletTo } from "../../src/modes/rpc/outlet.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The lines that come of these pieces, and the code of each that is none. */
async function linesIn(pieces: readonly Uint8Array[], most?: number): Promise<readonly string[]> {
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield* pieces
  }
  const found: string[] = []
  for await (const line of linesOf(stream(), most)) found.push(line.ok ? line.data : line.error.code)
  return found
}

test("lines are the same however the bytes come, and the last one needs no end", async () => {
  const whole = bytes('{"a":"工"}\n\n  \n{"b":2}\r\n{"c":3}')
  const expected = ['{"a":"工"}', '{"b":2}\r', '{"c":3}']
  assert.deepEqual(await linesIn([whole]), expected)
  for (const size of [1, 2, 3, 7]) {
    const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
      whole.subarray(at * size, (at + 1) * size),
    )
    assert.deepEqual(await linesIn(pieces), expected, `in pieces of ${size}`)
  }
})

test("a line that is too long is one error, is not held, and the next one is read", async () => {
  const pieces = [bytes("0123456789"), bytes("0123456789\nshort\n"), bytes("01234567890"), bytes("x")]
  assert.deepEqual(await linesIn(pieces, 10), ["too_large", "short", "too_large"])
  const made: WeakRef<ArrayBuffer>[] = []
  let held = 0
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < 20; at++) {
      const piece = new Uint8Array(64 * 1024).fill(0x20)
      made.push(new WeakRef(piece.buffer))
      yield piece
    }
    // What was made in this turn of the event loop stays in any case.
    await new Promise((resolve) => setImmediate(resolve))
    collect()
    held = made.filter((one) => one.deref() !== undefined).length
  }
  for await (const line of linesOf(endless(), 1024)) assert.equal(line.ok, false)
  assert.ok(held <= 2, `${held} of 20 pieces were held`)
})

test("bytes that are no UTF-8 are an error and no other text", async () => {
  assert.deepEqual(await linesIn([new Uint8Array([0x22, 0xc3, 0x28, 0x22, 0x0a])]), ["bad_json"])
})

/** A reader that takes what it is given when it is told to. */
function slowReader() {
  const taken: Event[] = []
  const waiting: string[] = []
  let caughtUp = Promise.withResolvers<void>()
  return {
    taken,
    reader: {
      out: (text: string) => void waiting.push(text),
      get unsent() {
        return waiting.reduce((sum, text) => sum + text.length, 0)
      },
      flush: () => caughtUp.promise,
    },
    async read() {
      for (const text of waiting.splice(0)) taken.push(JSON.parse(text) as Event)
      caughtUp.resolve()
      caughtUp = Promise.withResolvers()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

const delta = (id: string): Event => ({ type: "message_update", id, kind: "text", index: 0, delta: "x".repeat(10_000) })
const ended = (id: string): Event => ({
  type: "message_end",
  message: { id, role: "assistant", content: [] },
  entry: `entry-${id}`,
})

test("[AGENT-S.35] towards a slow reader deltas go first, then everything but what somebody waits for; and it is said", async () => {
  const slow = slowReader()
  const { event, line, room } = outletTo(slow.reader, () => 0)
  for (let at = 0; at < 1000; at++) event(delta("m1"))
  assert.ok(slow.reader.unsent < 1.2e6, `${slow.reader.unsent} bytes of 10 MB wait`)
  event(ended("m1"))
  await slow.read()
  assert.equal(slow.taken.at(-1)?.type, "message_end", "what a message came to is not a delta")
  event(delta("m2"))
  await slow.read()
  assert.equal(slow.taken.at(-1)?.type, "message_update", "the next message has its deltas again")

  const big = (at: number): Event =>
    ({
      ...ended(`b${at}`),
      message: { id: "b", role: "user", content: [{ type: "text", text: "x".repeat(50_000) }] },
    }) as Event
  for (let at = 0; at < 400; at++) event(big(at))
  assert.ok(slow.reader.unsent < 4.4e6, `${slow.reader.unsent} bytes of 20 MB wait`)
  let hasRoom = false
  const waited = room().then(() => (hasRoom = true))
  line({ type: "response", command: "abort" })
  event({ type: "permission_end", id: "p1", choice: "no", by: "user" })
  assert.equal(hasRoom, false, "no command is read meanwhile")
  await slow.read()
  await waited
  const told = slow.taken.filter(({ type }) => type === "message_end")
  assert.deepEqual(
    slow.taken.slice(-2).map(({ type }) => type),
    ["response", "permission_end"],
  )
  await slow.read()
  const notice = slow.taken.at(-1)
  assert.ok(notice?.type === "notice" && notice.code === "behind" && notice.after === told.at(-1)?.entry)
  event(ended("m3"))
  await slow.read()
  assert.equal(slow.taken.at(-1)?.type, "message_end")
  const numbers = slow.taken.map((one) => (one as unknown as { seq: number }).seq)
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => at + 1),
    "numbers have no gap",
  )
})
