import assert from "node:assert/strict"
import { test } from "node:test"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { Event } from "@gong/spec"
import { createFeed } from "../../src/modes/rpc/feed.ts"
import { linesOf } from "../../src/modes/rpc/lines.ts"
import { clientOutput } from "../../src/modes/rpc/client-output.ts"
import type { EventOptions, EventStream, Session } from "@gong/session/session"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The lines of these chunks; for an error its code. */
async function linesIn(pieces: readonly Uint8Array[], most?: number): Promise<readonly string[]> {
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield* pieces
  }
  const found: string[] = []
  for await (const line of linesOf(stream(), most)) found.push(line.ok ? line.data : line.error.code)
  return found
}

test("lines do not depend on chunk boundaries, and the last one needs no line end", async () => {
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

test("a line above the maximum is one error, is not buffered, and the next one is read", async () => {
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
    // Objects of the current turn of the event loop are never collected.
    await new Promise((resolve) => setImmediate(resolve))
    collect()
    held = made.filter((one) => one.deref() !== undefined).length
  }
  for await (const line of linesOf(endless(), 1024)) assert.equal(line.ok, false)
  assert.ok(held <= 2, `${held} of 20 chunks are in memory`)
})

test("invalid UTF-8 is an error", async () => {
  assert.deepEqual(await linesIn([new Uint8Array([0x22, 0xc3, 0x28, 0x22, 0x0a])]), ["bad_json"])
})

/** A client that reads on demand. */
function slowClient() {
  const lines: Event[] = []
  const pending: string[] = []
  let caughtUp = Promise.withResolvers<void>()
  return {
    lines,
    stream: {
      out: (text: string) => void pending.push(text),
      get buffered() {
        return pending.reduce((sum, text) => sum + text.length, 0)
      },
      flush: () => caughtUp.promise,
    },
    async read() {
      for (const text of pending.splice(0)) lines.push(JSON.parse(text) as Event)
      caughtUp.resolve()
      caughtUp = Promise.withResolvers()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** A session with a queue of events. */
function sessionOf() {
  const events: Event[] = []
  const wakes: (() => void)[] = []
  const session = {
    history: { all: { length: 0 } },
    events({ wake }: EventOptions): EventStream {
      wakes.push(wake)
      return {
        next: () => {
          const event = events.shift()
          return event === undefined ? null : [event]
        },
        after: null,
        time: null,
        close: () => undefined,
      }
    },
  }
  const add = (event: Event): void => {
    events.push(event)
    for (const wake of wakes) wake()
  }
  return { session: session as unknown as Session, events, add }
}

const ended = (at: number, characters: number): Event => ({
  type: "message_end",
  message: { id: `m${at}`, role: "user", content: [{ type: "text", text: "x".repeat(characters) }] },
})
const info = { type: "agent_start", prompt: "", source: "user" } as const

test("[AGENT-S.35] with a slow client events stay unread in the session, responses are written, and the order is kept", async () => {
  const slow = slowClient()
  const output = clientOutput(slow.stream, () => 0)
  const feed = createFeed(output)
  const { session, events, add } = sessionOf()
  feed.open(session, info)
  for (let at = 0; at < 100; at++) add(ended(at, 50_000))
  feed.event({ type: "agent_end", status: "done" })
  assert.ok(slow.stream.buffered < 1.2e6, `${slow.stream.buffered} bytes of 5 MB are buffered`)
  assert.ok(events.length > 70, "the others are not written yet")
  let isDrained = false
  const waited = output.drained().then(() => (isDrained = true))
  feed.pump()
  output.line({ type: "response", command: "abort" })
  assert.equal(isDrained, false, "no command is read meanwhile")
  const drained = feed.drained()
  await slow.read()
  await waited
  assert.equal(slow.lines.at(-1)?.type, "response" as never)
  for (let round = 0; round < 10; round++) await slow.read()
  await drained
  const messages = slow.lines.flatMap((event) => (event.type === "message_end" ? [event.message.id] : []))
  assert.deepEqual(
    messages,
    Array.from({ length: 100 }, (_, at) => `m${at}`),
  )
  assert.equal(slow.lines.at(-1)?.type, "agent_end", "an event of the frontend follows earlier events")
  const numbers = slow.lines.map((one) => (one as unknown as { seq: number }).seq)
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => at + 1),
    "numbers are consecutive",
  )
})
