import { inEnglish } from "@gong/testing/in-english"
import assert from "node:assert/strict"
import { test } from "node:test"
import { hookRunner } from "@gong/loop"
import { englishOf, type Message, phrase, userText } from "@gong/spec"
import { summaryOf } from "@gong/tools/render"
import { manualClock } from "@gong/testing/sim/clock"
import type { ExtensionHost } from "../src/host/host.ts"
import { type CallOptions, ExtensionError } from "../src/host/open-calls.ts"
import { type Call, hookCallbacks, type Registrations } from "../src/protocol.ts"
import { remoteHooks, remoteTool } from "../src/remote/remote.ts"
import { carryOver } from "@gong/session/compaction/carried"

/** A host whose extension answers as given. */
function hostOf(answer: (call: Call, options?: CallOptions) => unknown, off = false): ExtensionHost {
  return {
    begin: () => undefined,
    loaded: async () => new Map(),
    ended: false,
    assumed: new Map(),
    registrations: Promise.resolve(new Map()),
    call: async (call, options) => answer(call, options),
    isOff: () => off,
    end: () => undefined,
  }
}

function runnerOf(
  answer: (call: Call, options?: CallOptions) => unknown,
  more: { off?: boolean; tools?: readonly string[] } = {},
) {
  const hooks = [{ callbacks: hookCallbacks, tools: more.tools ?? null, timeMs: 5_000 }]
  const registrations: Registrations = {
    tools: [],
    commands: [],
    hooks,
    renderers: [],
    providers: [],
    events: ["tool.start"],
    resources: { skills: [], prompts: [], themes: [] },
  }
  const clock = manualClock()
  const remote = { id: 0, name: "guard", host: hostOf(answer, more.off) }
  return { clock, runner: hookRunner(remoteHooks(remote, registrations), { clock, sessionId: "s" }) }
}

const call = { id: "c1", tool: "bash", arguments: { command: "ls" } }
const result = { content: [{ type: "text", text: "out" }], details: null, isError: false } as const

test("[HOOK-S.28] a gate of a hung extension blocks at its timeout, and is reported", async () => {
  const { runner, clock } = runnerOf(() => new Promise(() => undefined))
  const gated = runner.beforeToolCall(call)
  await clock.advance(5_000)
  assert.deepEqual(inEnglish(await gated), { answer: "block", reason: 'the gate "guard" gave no answer in time.' })
  assert.match(JSON.stringify(runner.takeNotifications()), /no answer after 5000 ms; blocked/)
})

test("the gate of an ended extension stays closed for calls, but not for sessions and ends of runs; its pipes are skipped", async () => {
  const ended = () => {
    throw new ExtensionError(phrase`the extension guard is off; /reload loads it again`, null, true)
  }
  const { runner } = runnerOf(ended, { off: true })
  const reason = 'the gate "guard" cannot be asked: the extension guard is off; /reload loads it again.'
  const gated = await runner.beforeToolCall(call)
  assert.equal(gated.answer === "block" && englishOf(gated.reason), reason)
  assert.equal((await runner.beforeSessionOp("compact", {})).answer, "ok")
  assert.equal((await runner.beforeStop({ again: false })).answer, "ok")
  assert.equal(await runner.onToolResult(call, result), result)
  assert.deepEqual(runner.takeNotifications(), [])
})

test("a gate ended while it runs blocks; one that throws permits and is reported with its stack", async () => {
  const exited = runnerOf(() => {
    throw new ExtensionError("it gave no sign.", null, true)
  })
  assert.equal((await exited.runner.beforeToolCall(call)).answer, "block")
  const throws = runnerOf(() => {
    throw new ExtensionError("bad luck", "Error: bad luck\n    at /x.ts:1:1")
  })
  assert.equal((await throws.runner.beforeToolCall(call)).answer, "ok")
  assert.match(JSON.stringify(throws.runner.takeNotifications()), /hook guard, beforeToolCall: bad luck/)
})

test("`tools` restricts gates and pipes to calls of some tools; other calls are not even sent", async () => {
  const asked: unknown[] = []
  const { runner } = runnerOf(({ args: [one] }) => void asked.push(one), { tools: ["edit"] })
  await runner.beforeToolCall(call)
  await runner.onToolResult(call, result)
  assert.deepEqual(asked, [])
  await runner.beforeToolCall({ ...call, tool: "edit" })
  assert.deepEqual(asked, [{ ...call, tool: "edit" }])
})

test("a callback without an answer changes neither messages nor input", async () => {
  const { runner } = runnerOf(() => undefined)
  const messages = [userText("one")]
  assert.deepEqual(await runner.onContext(messages), messages)
  assert.deepEqual(await runner.onInput({ text: "go", images: [] }), { text: "go", images: [] })
  assert.deepEqual(runner.takeNotifications(), [])
})

test("messages returned unchanged keep their identity", async () => {
  const messages = [userText("one"), userText("two")]
  const back = (change: (given: readonly unknown[]) => unknown) =>
    runnerOf(({ args: [given] }) => change(JSON.parse(JSON.stringify(given)) as unknown[])).runner.onContext(messages)
  const same = await back((given) => given)
  assert.deepEqual([same[0] === messages[0], same[1] === messages[1]], [true, true])
  const shorter = await back((given) => [...given.slice(1), userText("three")])
  assert.deepEqual([shorter[0] === messages[1], shorter[1]], [true, userText("three")])
})

test("the title is the named argument or the first string; an invalid result is an error", async () => {
  const offered = {
    name: "t",
    label: "t",
    description: "d",
    parameters: {},
    title: null,
    promptSnippet: "d",
    promptGuidelines: [],
    readOnly: false,
    interruptible: false,
  }
  const context = { signal: new AbortController().signal, onProgress: () => undefined }
  const toolOf = (answer: unknown, title: string | null = null) =>
    remoteTool({ id: 0, name: "x", host: hostOf(() => answer) }, { ...offered, title })
  assert.equal(toolOf("").title({ n: 1, a: "first\nline", b: "second" }), "first")
  assert.equal(toolOf("", "n").title({ n: 1, a: "first" }), "1")
  const run = (answer: unknown) => toolOf(answer).execute("c", {} as never, context)
  assert.deepEqual(await run("text"), { ...result, content: [{ type: "text", text: "text" }] })
  assert.deepEqual(await run({ content: "no", isError: true, details: { a: 1 } }), {
    content: [{ type: "text", text: "no" }],
    details: { a: 1 },
    isError: true,
  })
  for (const nonsense of [null, 5, {}, { content: [{ type: "video" }] }])
    await assert.rejects(run(nonsense), {
      message: "The extension x gave no result: text, or {content: ...} with text and images.",
    })
})

test("declarations work as for Gong's own tools: files survive compaction, the summary is the named field", () => {
  const offered = {
    name: "stamp",
    label: "stamp",
    description: "d",
    parameters: {},
    title: null,
    promptSnippet: "d",
    promptGuidelines: [],
    readOnly: false,
    interruptible: false,
    effect: "write",
    paths: [{ argument: "file", holds: "file" }],
    summary: "printed",
  } as const
  const tool = remoteTool({ id: 0, name: "x", host: hostOf(() => "") }, offered)
  const call = { type: "tool_call", id: "c", name: "stamp", arguments: { file: "a.txt", other: "b.txt" } } as const
  const declared = (name: string) => (name === "stamp" ? tool : null)
  const reply = { ...userText(""), role: "assistant", content: [call] } as unknown as Message
  assert.deepEqual(carryOver(null, [reply], declared).changed, ["a.txt"])
  assert.deepEqual(carryOver(null, [reply], () => null).changed, [])
  const summary = (details: Readonly<Record<string, unknown>> | null, status: "ok" | "error" = "ok") =>
    summaryOf(tool, { content: [{ type: "text", text: "1\n2" }], details, status }).text
  assert.deepEqual(
    [
      summary({ printed: "1 stamp\nmore" }),
      summary({ printed: 3 }),
      summary({ printed: {} }),
      summary(null),
      summary({}, "error"),
    ],
    ["1 stamp", "3", "", "", "error"],
  )
})

test("observers do not cause extensions to load; awaited functions do", async () => {
  const patient: string[] = []
  const { runner } = runnerOf(
    ({ target }, options) => void patient.push(`${target.kind} ${options?.waitForThread === true}`),
  )
  runner.emit("tool.start", () => call)
  await runner.settled()
  await runner.beforeToolCall(call)
  assert.deepEqual(patient, ["event true", "hook false"])
})
