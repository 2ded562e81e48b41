import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry, Tool } from "@gong/spec"
import type { Branch } from "@gong/tape"
import {
  callsIn,
  replayDeclarations,
  replayPolicy,
  replayTools,
} from "../../../../src/commands/sessions/replay/calls.ts"
import { createBlockedOperations } from "../../../../src/commands/sessions/replay/blocked.ts"

const call = (id: string, name = "read", args: object = { path: id }) => ({
  type: "tool_call",
  id,
  name,
  arguments: args,
})
const asks = (...content: readonly object[]) => ({ type: "message", message: { role: "assistant", content } })
const started = (callId: string, more: object = {}) => ({ type: "tool_start", callId, ...more })
const result = (toolCallId: string, status = "ok", text = "out") => ({
  type: "message",
  message: {
    role: "tool",
    toolCallId,
    content: [{ type: "text", text }],
    details: { n: 1 },
    isError: status !== "ok",
    status,
  },
})
const changed = (callId: string, path: string, more: object = {}) => ({
  type: "change",
  callId,
  path,
  before: null,
  after: null,
  ...more,
})

function calls(list: readonly object[], from = 0, to = list.length - 1) {
  return callsIn(
    { length: list.length, entry: (position: number) => list[position] as Entry } as unknown as Branch,
    from,
    to,
  )
}

const list = [
  asks(call("a"), call("b")),
  started("a"),
  changed("a", "x"),
  changed("a", "y", { file: {} }),
  changed("a", "z"),
  result("a"),
  started("gone"),
  result("b", "refused", "no"),
  asks(call("c")),
]

test("each recorded call has its start, its own changes and its result", () => {
  const found = [...calls(list).values()].map((one) => [
    one.call.id,
    one.start?.position ?? null,
    one.changes.map(({ path }) => path).join(),
    one.result?.position ?? null,
  ])
  assert.deepEqual(found, [
    ["a", 1, "x,z", 5],
    ["b", null, "", 7],
    ["c", null, "", null],
  ])
  assert.deepEqual([...calls(list, 1).keys()], ["c"])
  assert.deepEqual([...calls(list, 0, 7).keys()], ["a", "b"])
  assert.equal(calls(list, 0, 4).get("a")?.result, null)
})

const tools = [
  { name: "read", description: "d", parameters: { type: "object" } },
  { name: "other", description: "", parameters: {} },
]
const traits = [
  { name: "other", readOnly: true, recordsChanges: true, interruptible: true, keepsTime: true, effect: "read" },
]

test("a replayed tool has the recorded properties and returns the recorded result when it is resumed", async () => {
  const blocked = createBlockedOperations()
  const [read, other] = replayTools({ system: "", tools, builtAt: 0 } as never, traits as never, calls(list), blocked)
  assert.ok(read && other)
  assert.deepEqual([read.readOnly, read.recordsChanges, read.interruptible], [false, false, false])
  assert.deepEqual([other.readOnly, other.recordsChanges, other.interruptible], [true, true, true])
  assert.deepEqual([read.name, read.label, read.description, read.title({})], ["read", "read", "d", "read"])
  assert.equal(typeof read.mapArguments, "function", "spellings are mapped as Gong's own tool does it")
  assert.equal(other.mapArguments, undefined)
  const recorded: unknown[] = []
  const context = { record: async (change: unknown) => void recorded.push(change) } as never
  const running = read.execute("a", {} as never, context)
  assert.deepEqual(
    [...blocked.all].map((held) => held.kind === "running" && held.callId),
    ["a"],
  )
  const resumeAll = () => {
    for (const held of blocked.all) if (held.kind === "running") held.resume()
  }
  resumeAll()
  assert.deepEqual(await running, {
    content: [{ type: "text", text: "out" }],
    details: { n: 1 },
    isError: false,
    status: "ok",
  })
  assert.deepEqual(recorded, [
    { path: "x", before: null, after: null },
    { path: "z", before: null, after: null },
  ])
  for (const id of ["c", "never"]) {
    const none = read.execute(id, {} as never, context)
    resumeAll()
    await assert.rejects(none, /the tape has no result of this call/)
  }
})

test("a replayed tool has the declaration of the built-in tool, otherwise the recorded one", () => {
  const declared = replayDeclarations([...traits, { ...traits[0], name: "read", effect: "write" }] as never)
  assert.equal(declared("read")?.effect, "read")
  assert.equal(declared("other")?.effect, "read")
  assert.equal(declared("never"), null)
})

test("a call is allowed, refused or asked about as recorded, each once", async () => {
  const recorded = [
    asks(
      call("a"),
      call("a2", "read", { path: "a" }),
      call("b"),
      call("d", "read", { path: "d", extra: 1 }),
      call("o", "other", { path: "b" }),
    ),
    started("a"),
    started("a2", { arguments: { path: "mapped" } }),
    result("b", "refused", "no"),
    result("d", "error"),
    result("o", "refused", "not this"),
  ]
  const blocked = createBlockedOperations()
  const decided = new Set<string>()
  const policy = replayPolicy(calls(recorded), decided, () => [] as readonly Tool[], blocked)
  const decide = async (tool: string, args: object) => {
    const deciding = policy.decide({ tool, arguments: args, title: "" } as never)
    await new Promise(setImmediate)
    const held = [...blocked.all].map((one) => one.kind === "decision" && one.callId)
    for (const one of blocked.all) if (one.kind === "decision") one.resume()
    const { verdict, ...more } = await deciding
    return [held.join(), verdict, "toModel" in more ? more.toModel : null]
  }
  assert.deepEqual(await decide("read", { path: "a" }), ["a", "allow", null])
  assert.deepEqual(await decide("read", { path: "a" }), ["", "ask", null], "it was decided")
  assert.deepEqual(await decide("read", { path: "mapped" }), ["a2", "allow", null])
  assert.deepEqual(await decide("read", { path: "b" }), ["b", "deny", "no"])
  assert.deepEqual(await decide("other", { path: "b" }), ["o", "deny", "not this"])
  assert.deepEqual(
    await decide("read", { path: "d", extra: 1 }),
    ["", "ask", null],
    "it was neither started nor refused",
  )
  assert.deepEqual([...decided], ["a", "a2", "b", "o"])
})
