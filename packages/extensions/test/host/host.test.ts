import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { englishOf } from "@gong/spec"
import { folder } from "@gong/testing/folder"
import { manualClock } from "@gong/testing/sim/clock"
import { extensionHost, type Asleep } from "../../src/host/host.ts"
import { type CallOptions, ExtensionError, withLocation } from "../../src/host/open-calls.ts"
import type { ThreadListener } from "../../src/host/thread.ts"
import type { FromWorker, Problem, ToWorker, WorkerBegin, WorkerExtension } from "../../src/protocol.ts"
import type { Frame } from "../../src/where.ts"

interface PlayedThread {
  readonly begin: WorkerBegin
  readonly listener: ThreadListener
  readonly sent: ToWorker[]
  ended: boolean
}

const extension = (id: number, name: string, root = "/x"): WorkerExtension => ({
  id,
  name,
  path: `${root}/${name}/index.ts`,
  folder: `${root}/${name}`,
  boundary: null,
  settings: {},
})

const problem = (message: string, more: Partial<Problem> = {}): Problem => ({
  message,
  stack: "",
  path: null,
  line: null,
  ...more,
})

interface Options {
  readonly extensions?: readonly WorkerExtension[]
  readonly knownTimeouts?: readonly Asleep[]
  /** The stack of a silent thread. */
  readonly frames?: readonly Frame[]
}

/** A host whose threads are played by the test. */
function played({
  extensions = [extension(0, "a"), extension(1, "b")],
  knownTimeouts = [],
  frames = [],
}: Options = {}) {
  const clock = manualClock()
  const threads: PlayedThread[] = []
  const events: string[] = []
  const host = extensionHost({
    clock,
    begin: { gong: "0", cwd: "/", workspace: "/", cache: null, memory: "/memory", extensions },
    knownTimeouts,
    open(begin, listener) {
      const thread: PlayedThread = { begin, listener, sent: [], ended: false }
      threads.push(thread)
      return {
        post: (message) => void thread.sent.push(message),
        where: async () => frames,
        end: () => void (thread.ended = true),
      }
    },
    notify(event, session) {
      const text = "problem" in event ? englishOf(event.problem.message) : event.text
      const more = event.kind === "off" ? ` gate=${event.gate} load=${event.load}` : ""
      events.push(`${event.kind} ${event.extension?.name ?? "-"} ${session ?? "-"}: ${text}${more}`)
    },
  })
  const thread = (at = -1) => {
    const found = threads.at(at)
    assert.ok(found)
    return found
  }
  return {
    clock,
    host,
    threads,
    thread,
    events,
    say: (...messages: readonly FromWorker[]) => messages.forEach((one) => thread().listener.message(one)),
    call: (id: number, options?: CallOptions) =>
      host.call({ extension: id, target: { kind: "tool", key: "k" }, args: [id] }, options),
    calls: () => thread().sent.filter(({ kind }) => kind === "call"),
  }
}

const loaded = (id: number, json = '{"hooks":[]}'): FromWorker => ({ kind: "loaded", extension: id, json })
const failed = (id: number, message: string, timedOut = false): FromWorker => ({
  kind: "failed",
  extension: id,
  problem: problem(message),
  timedOut,
})
const exitedError = (message: string) => ({ name: "ExtensionError", exited: true, message })
const settled = () => new Promise((resolve) => setImmediate(resolve))

test("the thread starts once, with the wanted extensions first, in their order", () => {
  const all = [extension(0, "a"), extension(1, "b"), extension(2, "c")]
  const { host, threads, thread } = played({ extensions: all })
  assert.equal(threads.length, 0)
  host.begin([2, 1])
  host.begin([0])
  assert.deepEqual(
    thread().begin.extensions.map(({ id }) => id),
    [1, 2, 0],
  )
  assert.deepEqual([threads.length, thread().begin.memory], [1, "/memory"])
})

test("a call starts the thread, waits for its extension only, and carries its arguments", async () => {
  const { call, calls, threads, say, host } = played()
  const answer = call(1)
  await settled()
  assert.deepEqual([threads.length, calls()], [1, []])
  say(loaded(1))
  await settled()
  assert.deepEqual(calls(), [{ kind: "call", id: 1, extension: 1, target: { kind: "tool", key: "k" }, args: [1] }])
  say({ kind: "answer", id: 1, json: '{"a":1}' }, { kind: "answer", id: 1, json: "2" })
  assert.deepEqual(await answer, { a: 1 })
  assert.deepEqual([host.ended, host.isOff(1)], [false, false])
})

test("a call that waits for the thread does not start it", async () => {
  const { call, calls, threads, host, say } = played()
  const answer = call(0, { waitForThread: true })
  await settled()
  assert.equal(threads.length, 0)
  host.begin()
  say(loaded(0))
  await settled()
  assert.equal(calls().length, 1)
  say({ kind: "answer", id: 1, json: "null" })
  assert.equal(await answer, null)
})

test("registrations are those of all extensions; those of one can be waited for", async () => {
  const { host, say } = played()
  host.begin()
  const one = host.loaded([1])
  say(loaded(1, '{"tools":[]}'))
  assert.deepEqual([...(await one)], [[1, { tools: [] }]])
  let all = false
  const waiting = host.registrations.then(() => (all = true))
  await settled()
  assert.equal(all, false)
  say(loaded(0, '{"tools":[1]}'), loaded(0, '{"tools":[2]}'), { kind: "ready" })
  await waiting
  assert.deepEqual([...(await host.registrations)].at(-1), [0, { tools: [1] }])
})

test("without extensions nothing is waited for", async () => {
  const { host, threads } = played({ extensions: [] })
  assert.equal((await host.registrations).size, 0)
  host.begin()
  assert.equal(threads.length, 0)
})

test("an extension that fails to load is off, with the outcome of its load", async () => {
  const { host, say, events, call } = played()
  host.begin()
  say(failed(0, "boom"), failed(0, "again"), failed(1, "slow", true), failed(9, "unknown"))
  assert.deepEqual(events, ["off a -: boom gate=false load=threw", "off b -: slow gate=false load=timeout"])
  assert.deepEqual([host.isOff(0), host.isOff(1)], [true, true])
  await assert.rejects(call(0), exitedError("the extension a is off; /reload loads it again"))
})

test("registrations that are no JSON, or nested too deep, turn an extension off", () => {
  const { host, say, events } = played()
  host.begin()
  say(loaded(0, "{"), loaded(1, `${"[".repeat(3_000)}${"]".repeat(3_000)}`))
  assert.match(events[0] ?? "", /^off a -: what it registers is .*JSON.* load=threw$/)
  assert.match(
    events[1] ?? "",
    /^off b -: what it registers is nested more than \d+ levels deep gate=false load=threw$/,
  )
})

test("an extension with a gate keeps it closed when it is off", (t: TestContext) => {
  const root = folder(t, { "a/index.ts": "beforeToolCall", "b/index.ts": "afterToolCall" })
  const all = [extension(0, "a", root), extension(1, "b", root), extension(2, "c", root)]
  const { host, say, events } = played({ extensions: all })
  host.begin()
  say(loaded(2, '{"hooks":[{"callbacks":["onInput"]},{"callbacks":["onInput","beforeToolCall"]}]}'))
  say(failed(0, "x"), failed(1, "x"), failed(2, "x"))
  assert.deepEqual(
    events.map((event) => /^off (\w) .* gate=(\w+)/.exec(event)?.slice(1)),
    [
      ["a", "true"],
      ["b", "false"],
      ["c", "true"],
    ],
  )
})

test("an extension whose load is known to time out is off from the beginning, and its gate is assumed", (t: TestContext) => {
  const root = folder(t, { "late/index.ts": "beforeToolCall" })
  const late = { extension: extension(7, "late", root), problem: problem("slow") }
  const { host, events } = played({ knownTimeouts: [late] })
  assert.deepEqual(events, ["off late -: slow gate=true load=known-timeout"])
  assert.deepEqual([host.isOff(7), [...host.assumed.keys()]], [true, [7]])
  host.begin()
  assert.deepEqual([...host.assumed.keys()], [7])
})

test("messages of extensions are passed on with their session", () => {
  const { host, say, events } = played()
  host.begin()
  say(
    { kind: "notice", extension: 0, level: "info", text: "hi", session: 3 },
    { kind: "notice", extension: 9, level: "info", text: "unknown", session: 3 },
    { kind: "printed", extension: 1, text: "out", session: null },
    { kind: "printed", extension: null, text: "out", session: 0 },
    { kind: "unhandled", extension: 1, problem: problem("stray"), session: 2 },
    { kind: "unhandled", extension: null, problem: problem("stray"), session: null },
    { kind: "pong" },
  )
  assert.deepEqual(events, [
    "notice a 3: hi",
    "printed b -: out",
    "printed - 0: out",
    "unhandled b 2: stray",
    "unhandled - -: stray",
  ])
})

test("after an exit the culprit is off, open calls fail, and a new thread loads the others without the memory", async () => {
  const { host, say, threads, thread, events, call, calls } = played()
  host.begin()
  say(loaded(0), loaded(1), { kind: "ready" })
  const [waits, exits] = [call(0), call(1)]
  const failures = Promise.all([
    assert.rejects(waits, exitedError("another extension ended the thread that it shares")),
    assert.rejects(exits, exitedError("it ended the thread of extensions: why")),
  ])
  await settled()
  thread().listener.exited("why")
  await failures
  assert.deepEqual(events, ["off b -: it ended the thread of extensions: why gate=false load=null"])
  assert.deepEqual([threads.length, thread(0).ended], [2, true])
  assert.deepEqual([thread().begin.extensions.map(({ id }) => id), thread().begin.memory], [[0], null])
  const again = call(0)
  await settled()
  assert.deepEqual(calls(), [], "it waits for the new thread")
  say(loaded(0))
  await settled()
  say({ kind: "answer", id: 3, json: "1" })
  assert.equal(await again, 1)
  await assert.rejects(call(1), exitedError("the extension b is off; /reload loads it again"))
})

test("the culprit of an exit is the one that called exit, the one being loaded, or the one called last", async () => {
  const exiting = played()
  exiting.host.begin()
  exiting.say(loaded(0), loaded(1), { kind: "exiting", extension: 0 })
  exiting.thread().listener.exited("x")
  assert.match(exiting.events[0] ?? "", /^off a .* load=null$/)
  exiting.say(loaded(1))
  exiting.thread().listener.exited("x")
  assert.match(exiting.events[1] ?? "", /^unhandled - -: it ended the thread of extensions: x$/)
  const loading = played()
  loading.host.begin()
  loading.say(loaded(0))
  loading.thread().listener.exited("x")
  assert.match(loading.events[0] ?? "", /^off b .* load=threw$/)
})

test("after five exits all extensions are off, and nothing is waited for", async () => {
  const { host, say, threads, thread, call } = played()
  host.begin()
  for (let exits = 1; exits <= 5; exits++) {
    assert.equal(threads.length, exits)
    say(loaded(0), loaded(1))
    thread().listener.exited("x")
  }
  assert.equal(threads.length, 5)
  assert.deepEqual([host.isOff(0), host.isOff(1)], [true, true])
  await host.registrations
  await assert.rejects(call(0), exitedError("the extension a is off; /reload loads it again"))
})

test("a silent thread is ended; the extension whose code runs is off, with its place", async () => {
  const frames = [
    { path: "/node/x.ts", line: 1, name: "" },
    { path: "/x/a/part.ts", line: 7, name: "spin" },
    { path: "/x/b/index.ts", line: 9, name: "" },
  ]
  const { host, clock, say, thread, events, call } = played({ frames })
  host.begin()
  say(loaded(0), loaded(1))
  const hung = call(1)
  const fails = assert.rejects(hung, exitedError("another extension ended the thread that it shares"))
  await clock.advance(6_000)
  await fails
  assert.deepEqual(events, [
    "off a -: it gave no sign for 5 s and was ended. Do not block: wait with await, and bound every loop gate=false load=null",
  ])
  assert.ok(thread(0).ended)
})

test("a file of an extension without a folder of its own belongs to it alone", async () => {
  const files = ["/x/a.ts", "/x/b.ts"].map((path, id) => ({ ...extension(id, `f${id}`), path, folder: "/x" }))
  for (const [path, name] of [
    ["/x/b.ts", "f1"],
    ["/x/helper.ts", "f0"],
  ]) {
    const { host, clock, say, events } = played({
      extensions: files,
      frames: [{ path: path ?? "", line: 1, name: "" }],
    })
    host.begin()
    say(loaded(0), loaded(1))
    await clock.advance(40_000)
    assert.match(events[0] ?? "", new RegExp(`^off ${name} `))
  }
})

test("a thread that hangs while it loads an extension blames that one", async () => {
  const { host, clock, events } = played({ frames: [{ path: "/x/a/index.ts", line: 1, name: "" }] })
  host.begin()
  await clock.advance(6_000)
  assert.match(events[0] ?? "", /^off a .* load=timeout$/)
  const unknown = played()
  unknown.host.begin()
  await unknown.clock.advance(6_000)
  assert.match(unknown.events[0] ?? "", /^off a .* load=threw$/)
})

test("an aborted call is stopped, and abandoned after 5 s", async () => {
  const { host, clock, say, thread, call } = played()
  host.begin()
  say(loaded(0))
  const stop = new AbortController()
  const stops = () => thread().sent.filter(({ kind }) => kind === "stop")
  const late = assert.rejects(call(0, { signal: stop.signal }), {
    name: "ExtensionError",
    exited: false,
    message: "the extension did not stop in time",
  })
  await settled()
  assert.deepEqual(stops(), [])
  stop.abort()
  assert.deepEqual(stops(), [{ kind: "stop", id: 1 }])
  await clock.advance(4_999)
  say({ kind: "pong" })
  await clock.advance(1)
  await late
  const before = call(0, { signal: AbortSignal.abort() })
  await settled()
  assert.equal(stops().length, 2)
  say({ kind: "answer", id: 2, json: "1" })
  assert.equal(await before, 1)
  assert.equal(thread().ended, false)
})

test("chunks, progress, questions and errors of a call", async () => {
  const { host, say, thread, call } = played()
  host.begin()
  say(loaded(0))
  const seen: unknown[] = []
  const done = call(0, {
    progress: (delta) => void seen.push(delta),
    chunk(json, taken) {
      seen.push(json)
      taken()
    },
    ask: async (question, args) => [question, args],
  })
  await settled()
  say({ kind: "progress", id: 1, delta: "p" }, { kind: "chunk", id: 1, json: "123" })
  say({ kind: "progress", id: 9, delta: "q" }, { kind: "chunk", id: 9, json: "1" })
  say({ kind: "ask", id: 5, call: 1, question: "confirm", args: ["?"] })
  say({ kind: "ask", id: 6, call: 9, question: "confirm", args: [] })
  await settled()
  assert.deepEqual(seen, ["p", "123"])
  assert.deepEqual(
    thread().sent.filter(({ kind }) => kind === "taken" || kind === "reply"),
    [
      { kind: "taken", id: 1, size: 3 },
      { kind: "reply", id: 5, value: ["confirm", ["?"]] },
      { kind: "reply", id: 6, value: null },
    ],
  )
  say({ kind: "threw", id: 1, problem: problem("boom", { stack: "the stack", path: "/x/a/index.ts", line: 3 }) })
  await assert.rejects(done, { name: "ExtensionError", message: "boom", stack: "the stack", exited: false })
  const fails = call(0, { ask: () => Promise.reject(new Error("no user")) })
  await settled()
  say({ kind: "ask", id: 7, call: 2, question: "line", args: [] })
  await settled()
  assert.deepEqual(thread().sent.at(-1), { kind: "reply", id: 7, value: null })
  say({ kind: "answer", id: 2, json: "{" })
  await assert.rejects(fails, /^ExtensionError: its answer is .*JSON|^ExtensionError: its answer is /)
})

test("at most 1,000 calls are open", async () => {
  const { host, say, call } = played()
  host.begin()
  say(loaded(0))
  const open = Array.from({ length: 1_000 }, () => call(0).catch(() => undefined))
  await settled()
  await assert.rejects(call(0), { exited: false, message: "1000 calls of extensions wait already" })
  say({ kind: "answer", id: 1, json: "1" })
  await settled()
  const next = call(0)
  await settled()
  say({ kind: "answer", id: 1_001, json: "7" })
  assert.equal(await next, 7)
  host.end()
  await Promise.all(open)
})

test("the end of a host ends its thread and all calls, and it starts no more", async () => {
  const { host, say, thread, threads, call } = played()
  host.begin()
  say(loaded(0))
  const over = exitedError("the session has ended")
  const open = [assert.rejects(call(0), over), assert.rejects(call(1), over)]
  await settled()
  host.end()
  await Promise.all(open)
  await host.registrations
  assert.deepEqual([host.ended, thread().ended], [true, true])
  await assert.rejects(call(0), over)
  assert.equal(threads.length, 1)
  const unused = played()
  unused.host.end()
  unused.host.begin()
  assert.equal(unused.threads.length, 0)
})

test("an error of an extension is completed with its place, any other error stays", () => {
  const at = (message: unknown, place: string) => `${String(message)} at ${place}`
  const text = (message: unknown, place: string) => ({ id: at(message, place), values: [] })
  const thrown = new ExtensionError("boom.", "the stack", true, problem("boom.", { path: "/x/a.ts", line: 3 }))
  const located = withLocation(thrown, text as never)
  assert.ok(located instanceof ExtensionError)
  assert.deepEqual(
    [located.message, located.stack, located.exited, located.problem?.line],
    ["boom at /x/a.ts:3", "the stack", true, 3],
  )
  for (const other of [
    new Error("x"),
    new ExtensionError("x", null),
    new ExtensionError("x", null, false, problem("x")),
  ])
    assert.equal(withLocation(other, text as never), other)
})
