import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "@gong/testing/sim/clock"
import { StdioTransport } from "../../src/connection/stdio.ts"

/** A transport over a program that the test plays. */
async function opened({ reads = true } = {}) {
  const clock = manualClock(1_000)
  const written: string[] = []
  const seen: unknown[] = []
  let ends = 0
  let output = (_: Uint8Array): void => undefined
  let end = (_: string): void => undefined
  const transport = new StdioTransport(async ({ onOutput, onEnd }) => {
    ;[output, end] = [onOutput, onEnd]
    return {
      write: (text) => {
        written.push(text)
        return reads
      },
      async end() {
        ends += 1
      },
    }
  }, clock)
  transport.onmessage = (message) => void seen.push("method" in message ? message.method : message)
  transport.onerror = ({ message }) => void seen.push(`error: ${message}`)
  transport.onclose = () => void seen.push("closed")
  await transport.start()
  return {
    transport,
    clock,
    written,
    seen,
    ends: () => ends,
    say: (text: string | Uint8Array) => output(typeof text === "string" ? Buffer.from(text) : text),
    end: (why: string) => end(why),
  }
}

const line = (method: string) => `${JSON.stringify({ jsonrpc: "2.0", method })}\n`
const hello = { jsonrpc: "2.0", method: "hello" } as const

test("messages are lines, wherever the pieces are cut", async () => {
  const { say, seen } = await opened()
  say(line("a") + line("b"))
  const text = Buffer.from(line("\u00e9\u4f60"))
  for (const byte of text) say(Uint8Array.of(byte))
  say(line("c").trimEnd())
  assert.deepEqual(seen, ["a", "b", "\u00e9\u4f60"])
  say(`\r\n\n  \n ${line("d")}`)
  assert.deepEqual(seen, ["a", "b", "\u00e9\u4f60", "c", "d"])
})

test("a line that is no message is reported with its first 200 characters", async () => {
  const { say, seen } = await opened()
  say(`starting\n{"a":1}\n{broken\n[1]\n${"x".repeat(300)}\n${line("a")}`)
  assert.deepEqual(seen, [
    "error: not a message: starting",
    'error: not a message: {"a":1}',
    "error: not a message: {broken",
    "error: not a message: [1]",
    `error: not a message: ${"x".repeat(200)}`,
    "a",
  ])
})

test("a message is sent as a line; not to a program that does not read or has ended", async () => {
  const { transport, written, end } = await opened()
  await transport.send(hello)
  assert.deepEqual(written, [line("hello")])
  end("it ended with status 3")
  await assert.rejects(transport.send(hello), { message: "it ended with status 3" })
  assert.equal(written.length, 1)
  const deaf = await opened({ reads: false })
  await assert.rejects(deaf.transport.send(hello), { message: "the server does not read its input" })
})

test("the first end counts, and is reported once", async () => {
  const { transport, seen, end, say, ends } = await opened()
  assert.equal(transport.ended, null)
  say('{"begun')
  end("it ended with status 3")
  end("again")
  say(line("late"))
  await transport.close()
  await transport.close()
  assert.deepEqual([transport.ended, seen, ends()], ["it ended with status 3", ["closed"], 1])
  const other = await opened()
  await other.transport.close()
  assert.deepEqual([other.transport.ended, other.seen], ["it was ended", ["closed"]])
})

test("a receiver that ends the connection gets none of the other lines", async () => {
  const { transport, seen, say } = await opened()
  transport.onmessage = () => void transport.close()
  say(line("a") + line("b"))
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(seen, ["closed"])
})

test("a line of exactly 10 MB is waited for, one of a character more ends the server", async () => {
  const { transport, say, seen, ends } = await opened()
  say("x".repeat(10_485_760))
  assert.equal(transport.ended, null)
  say("x")
  assert.deepEqual(
    [transport.ended, seen, ends()],
    ["it sent a message of more than 10 MB", ["error: it sent a message of more than 10 MB", "closed"], 1],
  )
})

test("1,000 answers and 1,000 other lines of one second are read; the next second reports the rest", async () => {
  const { clock, say, seen } = await opened()
  const answer = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, result: {} })}\n`
  const failed = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, error: { code: 1, message: "" } })}\n`
  for (let at = 0; at < 600; at++) say(line("other") + line("other") + answer(at) + failed(at))
  assert.equal(seen.filter((one) => one === "other").length, 1_000)
  assert.equal(seen.length, 2_000)
  await clock.advance(999)
  say(line("dropped"))
  assert.equal(seen.length, 2_000)
  await clock.advance(1)
  say(line("next"))
  assert.deepEqual(seen.slice(2_000), ["error: 401 messages of one second were left out", "next"])
  await clock.advance(1_000)
  say(line("last"))
  assert.deepEqual(seen.slice(2_002), ["last"])
})

test("only a line with its result or error in the first 100 characters is an answer", async () => {
  const { say, seen } = await opened()
  for (let id = 0; id < 1_000; id++) say(`${JSON.stringify({ jsonrpc: "2.0", id, result: {} })}\n`)
  assert.equal(seen.length, 1_000)
  say(`${JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} })}\n`)
  say(`${JSON.stringify({ jsonrpc: "2.0", method: "far", params: { text: "x".repeat(100), result: 1 } })}\n`)
  assert.deepEqual(seen.slice(1_000), ["far"])
})
