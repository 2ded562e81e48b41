import assert from "node:assert/strict"
import { test } from "node:test"
import { type Event, phrase } from "@gong/spec"
import type { EventOptions, Session } from "@gong/session/session"
import type { SessionController } from "@gong/app/controller/api"
import { type Answer, done, refuse } from "@gong/app/controller/answer"
import { answerLine, type Connection } from "../../src/modes/rpc/answer.ts"
import { clientOutput } from "../../src/modes/rpc/client-output.ts"
import { createFeed, type Feed } from "../../src/modes/rpc/feed.ts"
import { linesOf, maxCommand } from "../../src/modes/rpc/lines.ts"
import { rpc } from "../../src/modes/rpc/rpc.ts"

/** The responses to these lines, with what else they do. */
async function answering(...lines: readonly (string | Answer<string>)[]) {
  const log: unknown[] = []
  const responses: unknown[] = []
  const controller = {
    current: { session: { abort: () => void log.push("abort"), history: { has: (id: string) => id === "e1" } } },
    async dispatch(type: string, args: object, answer: (given: Answer<object>) => void) {
      log.push([type, args])
      answer(type === "undo" ? refuse("busy", phrase`a run is ${"working"}`, phrase`stop it`) : done({ x: 1 }))
    },
  } as unknown as SessionController
  const feed = {
    pump: () => void log.push("pump"),
    from: (after: string) => void log.push(["from", after]),
    setPartial: (partial: boolean) => void log.push(["partial", partial]),
  } as unknown as Feed
  const output = { line: (line: object) => void responses.push(line), full: false, drained: async () => undefined }
  const connection: Connection = { controller, version: "1.2.3", output, feed, exit: null }
  for (const line of lines) await answerLine(connection, typeof line === "string" ? done(line) : line)
  return {
    responses,
    log: log.filter((one) => one !== "pump"),
    exit: connection.exit,
    pumps: log.filter((one) => one === "pump").length,
  }
}

const failed = (command: string | null, code: string, message: string, hint?: string, id?: string | number) => ({
  type: "response",
  ...(id !== undefined && { id }),
  command,
  success: false,
  error: { code, message, ...(hint !== undefined && { hint }) },
})

test("a line that is no command is refused, and each line has one response behind the events before it", async () => {
  const hint = "get_commands lists them"
  const { responses, pumps, exit } = await answering(
    "[1]",
    "null",
    '{"id":1}',
    '{"type":7}',
    '{"id":"a","type":"fly"}',
    '{"id":true,"type":"hello"}',
    refuse("too_large", "This line is too long."),
  )
  const object = failed(null, "bad_json", "A command is a JSON object on one line.")
  const untyped = 'A command must have a "type".'
  assert.deepEqual(responses, [
    object,
    object,
    failed(null, "bad_arguments", untyped, hint, 1),
    failed(null, "bad_arguments", untyped, hint),
    failed("fly", "unknown_command", 'There is no command "fly".', hint, "a"),
    failed("hello", "bad_arguments", "id must be a string or a number."),
    failed(null, "too_large", "This line is too long."),
  ])
  assert.deepEqual([pumps, exit], [7, null])
  const [broken] = (await answering("{")).responses as { error: { code: string; message: string } }[]
  assert.equal(broken?.error.code, "bad_json")
  assert.match(broken?.error.message ?? "", /^This line is not JSON: /)
  const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`
  const [nested] = (await answering(deep)).responses as { error: { message: string } }[]
  assert.match(nested?.error.message ?? "", /^This line is (?!not JSON)/)
})

test("commands reach the session without their head, and an id may be their target", async () => {
  const { responses, log } = await answering(
    '{"type":"get_state","id":7}',
    '{"type":"undo"}',
    '{"type":"remove_queued","id":"q1"}',
    '{"type":"remove_queued","id":"q1","target":"q2"}',
    '{"type":"remove_queued","id":5}',
    '{"type":"remove_queued"}',
  )
  assert.deepEqual(log.slice(0, 2), [
    ["get_state", {}],
    ["undo", {}],
  ])
  assert.deepEqual(responses.slice(0, 2), [
    { type: "response", id: 7, command: "get_state", success: true, data: { x: 1 } },
    failed("undo", "busy", "a run is working", "stop it"),
  ])
  assert.deepEqual(log.slice(2), [
    ["remove_queued", { target: "q1" }],
    ["remove_queued", { target: "q2" }],
    ["remove_queued", { target: "5" }],
    ["remove_queued", {}],
  ])
})

test("hello sets up the connection: its protocol, partial replies, and where the events begin", async () => {
  const hello = (args: object) => answering(JSON.stringify({ type: "hello", ...args }))
  const ok = { type: "response", command: "hello", success: true, data: { protocol: 1, version: "1.2.3" } }
  const plain = await hello({ protocol: 1 })
  assert.deepEqual([plain.responses, plain.log, plain.exit], [[ok], [], null])
  const full = await hello({ protocol: 1, partial: false, after: "e1" })
  assert.deepEqual(
    [full.responses, full.log],
    [
      [ok],
      [
        ["partial", false],
        ["from", "e1"],
      ],
    ],
  )
  const unknown = await hello({ protocol: 1, after: "e2" })
  assert.deepEqual(
    [unknown.responses, unknown.log],
    [[failed("hello", "not_found", "This session has no step e2.")], []],
  )
  const other = await hello({ protocol: 2 })
  assert.deepEqual(other.responses, [
    failed("hello", "protocol", "Protocol 2 is not supported.", "gong 1.2.3 supports protocol 1"),
  ])
  assert.equal(other.exit, 2)
  const [wrong] = (await hello({ protocol: "x" })).responses as { error: { code: string; message: string } }[]
  assert.equal(wrong?.error.code, "bad_arguments")
  assert.match(wrong?.error.message ?? "", /^hello: .*\.$/)
})

test("a shutdown takes no arguments, aborts the run, and ends with status 0", async () => {
  const { responses, log, exit } = await answering('{"type":"shutdown","id":1}')
  assert.deepEqual(
    [responses, log, exit],
    [[{ type: "response", id: 1, command: "shutdown", success: true, data: {} }], ["abort"], 0],
  )
  const refused = await answering('{"type":"shutdown","now":true}')
  assert.deepEqual(
    [refused.responses, refused.exit],
    [[failed("shutdown", "bad_arguments", "shutdown has no arguments.")], null],
  )
})

test("a line of exactly the maximum is read, and one of more names both sizes", async () => {
  const read = async (...pieces: readonly string[]) => {
    const found: unknown[] = []
    async function* stream(): AsyncGenerator<Uint8Array> {
      for (const piece of pieces) yield new TextEncoder().encode(piece)
    }
    for await (const line of linesOf(stream(), 5)) found.push(line.ok ? line.data : line.error.message)
    return found
  }
  assert.deepEqual(await read("12345\n123456\n12\n"), ["12345", "This line has 6 bytes; the maximum is 5.", "12"])
  assert.deepEqual(await read("12", "345", "6", "\nok"), ["This line has 6 bytes; the maximum is 5.", "ok"])
  assert.deepEqual(await read("123456"), ["This line has 6 bytes; the maximum is 5."])
  assert.deepEqual(await read("", "\n", " \n"), [])
  assert.equal(maxCommand, 33_554_432)
})

/** A session with these events; `streams` has what is asked for. */
function sessionWith(steps: number) {
  const events: Event[] = []
  const streams: { after: string | null; partial: boolean | undefined; isClosed: boolean }[] = []
  const wakes: (() => void)[] = []
  const session = {
    history: { all: { length: steps, head: (at: number) => ({ id: `e${at}` }) } },
    events({ after, partial, wake }: EventOptions) {
      const stream = { after: after ?? null, partial, isClosed: false }
      streams.push(stream)
      wakes.push(wake)
      return {
        next: () => {
          const event = events.shift()
          return event === undefined ? null : [event]
        },
        after: "last",
        time: null,
        close: () => void (stream.isClosed = true),
      }
    },
  } as unknown as Session
  return { session, events, streams, wake: () => wakes.forEach((one) => one()) }
}

const event = (type: string) => ({ type }) as unknown as Event

/** A client whose buffer a test fills and empties. */
function client() {
  const lines: string[] = []
  const state = { buffered: 0, caughtUp: Promise.withResolvers<void>() }
  const stream = {
    out: (text: string) => void lines.push((JSON.parse(text) as { type: string }).type),
    get buffered() {
      return state.buffered
    },
    flush: () => state.caughtUp.promise,
  }
  return {
    lines,
    stream,
    fill: (bytes: number) => void (state.buffered = bytes),
    async read() {
      state.buffered = 0
      state.caughtUp.resolve()
      state.caughtUp = Promise.withResolvers()
      await new Promise(setImmediate)
    },
  }
}

test("events begin behind what is stored, again after a step or with other partials, and in the next session", () => {
  const { lines, stream } = client()
  const feed = createFeed(clientOutput(stream, () => 0))
  feed.from("e1")
  feed.pump()
  assert.deepEqual(lines, [], "no session is open")
  const { session, streams, events } = sessionWith(3)
  events.push(event("one"))
  feed.open(session, event("session"))
  assert.deepEqual(lines, ["session", "one"])
  feed.from(null)
  feed.setPartial(false)
  assert.deepEqual(streams, [
    { after: "e2", partial: true, isClosed: true },
    { after: null, partial: true, isClosed: true },
    { after: "last", partial: false, isClosed: false },
  ])
  const next = sessionWith(0)
  feed.open(next.session, event("session"))
  assert.deepEqual([streams[2]?.isClosed, next.streams], [true, [{ after: null, partial: false, isClosed: false }]])
})

test("above 1 MB of unread output events wait, and go on by themselves when the client has read", async () => {
  const { lines, stream, fill, read } = client()
  const output = clientOutput(stream, () => 0)
  const feed = createFeed(output)
  const { session, events, wake } = sessionWith(0)
  feed.open(session, event("session"))
  fill(1_048_576)
  events.push(event("fits"))
  wake()
  assert.equal(output.full, false)
  fill(1_048_577)
  assert.equal(output.full, true)
  events.push(event("waits"))
  wake()
  wake()
  assert.deepEqual(lines, ["session", "fits"])
  await read()
  assert.deepEqual(lines, ["session", "fits", "waits"])
})

/** Runs the mode with these lines; the exit status, and what it does. */
async function connecting(
  lines: readonly string[],
  { isStored = true, shutdown = new Promise<void>(() => undefined), never = false } = {},
) {
  const log: string[] = []
  const { stream, lines: written } = client()
  const { session } = sessionWith(0)
  const controller = {
    current: { session: Object.assign(session, { abort: () => void log.push("abort") }), info: event("session") },
    listen: () => void log.push("listen"),
    disconnect: () => void log.push("disconnect"),
    settled: async () => void log.push("settled"),
    shutdown: async () => (log.push("shutdown"), isStored),
    dispatch: async (_: string, __: object, answer: (given: Answer<object>) => void) => answer(done({})),
  } as unknown as SessionController
  async function* commands(): AsyncGenerator<Uint8Array> {
    for (const line of lines) yield new TextEncoder().encode(`${line}\n`)
    if (never) await new Promise(() => undefined)
  }
  const options = {
    version: "1",
    commands: commands(),
    stream,
    now: () => 0,
    drainTimeout: async () => undefined,
    shutdown,
  }
  return { exit: await rpc(controller, options), log, written }
}

test("the mode ends at the end of its input, on a shutdown, and on an unknown protocol", async () => {
  const ended = await connecting(['{"type":"get_state"}'])
  assert.deepEqual(
    [ended.exit, ended.written, ended.log],
    [0, ["session", "response"], ["listen", "disconnect", "settled", "shutdown"]],
  )
  assert.equal((await connecting([], { isStored: false })).exit, 1)
  const left = await connecting(['{"type":"shutdown"}', '{"type":"get_state"}'], { never: true, isStored: false })
  assert.deepEqual(
    [left.exit, left.written, left.log],
    [0, ["session", "response"], ["listen", "abort", "disconnect", "settled", "shutdown"]],
  )
  assert.equal((await connecting(['{"type":"hello","protocol":3}'], { never: true })).exit, 2)
  assert.equal((await connecting([], { never: true, shutdown: Promise.resolve() })).exit, 0)
})
