import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import type { Connection } from "../../src/connection/connect.ts"
import { times } from "../../src/definitions/limits.ts"
import { createPins } from "../../src/server/pins.ts"
import type { ServerRecord } from "../../src/server/record.ts"

const era = { kind: "legacy" } as const
const tool = (name: string, description = "") => ({ name, description, inputSchema: { type: "object" } })
const pinned = (name: string, description = "") => ({
  name,
  exposed: `fixture__${name}`,
  description,
  schema: { type: "object" },
})
const signal = new AbortController().signal

interface Lists {
  readonly tools?: readonly unknown[]
  readonly prompts?: Connection["prompts"]
  readonly offers?: Partial<Connection["offers"]>
}

function connectionOf({ tools = [], prompts = async () => [], offers = {} }: Lists): Connection {
  const all = { tools: true, prompts: true, resources: false, ...offers }
  return { era, offers: all, tools: async () => tools, prompts } as unknown as Connection
}

function pinsWith(stored: ServerRecord | null = null) {
  const clock = manualClock()
  const saved: ServerRecord[] = []
  let loads = 0
  const load = () => {
    loads += 1
    return stored
  }
  const pins = createPins({ name: "fixture", clock, record: { load, save: (one) => void saved.push(one) } })
  return { pins, clock, saved, loads: () => loads }
}

const recordOf = (...names: readonly string[]): ServerRecord => ({
  tools: names.map((name) => pinned(name)),
  withdrawn: [],
  prompts: [],
  resources: false,
  era,
})

test("before its first start a server has nothing, and its record is read once", () => {
  const { pins, saved, loads } = pinsWith()
  pins.accept()
  assert.deepEqual(
    [pins.era(), pins.tools(), pins.tool("a"), pins.prompts(), pins.hasResources(), pins.changes(), pins.problems()],
    [null, null, null, [], false, [], []],
  )
  assert.deepEqual([pins.changedLine(), saved, loads()], [null, [], 1])
})

test("the tools of a record are known before the server starts, and nothing is accepted then", () => {
  const { pins, saved } = pinsWith({ ...recordOf("a", "b"), resources: true })
  pins.accept()
  assert.deepEqual([pins.tools(), pins.tool("b"), pins.tool("c")], [[pinned("a"), pinned("b")], pinned("b"), null])
  assert.deepEqual([pins.era(), pins.hasResources(), pins.changes(), saved], [era, true, [], []])
})

test("the first list is pinned whole, and stored once while nothing changes", async () => {
  const { pins, saved } = pinsWith()
  const lists = {
    tools: [tool("a")],
    prompts: async () => [{ name: "p", description: "d" }],
    offers: { resources: true },
  }
  await pins.read(connectionOf(lists), signal)
  await pins.read(connectionOf(lists), signal)
  const prompts = [{ name: "p", description: "d", arguments: [] }]
  assert.deepEqual(saved, [{ tools: [pinned("a")], withdrawn: [], era, prompts, resources: true }])
  assert.deepEqual([pins.tools(), pins.prompts(), pins.hasResources()], [[pinned("a")], prompts, true])
  assert.equal(pins.changedLine(), null)
})

test("lists that a server does not offer are not requested", async () => {
  const { pins } = pinsWith()
  const never = () => assert.fail("requested")
  const offers = { tools: false, prompts: false, resources: false }
  await pins.read({ era, offers, tools: never, prompts: never } as unknown as Connection, signal)
  assert.deepEqual([pins.tools(), pins.prompts()], [[], []])
})

test("tools that are new, different or back are off until they are accepted; a removed one needs no word", async () => {
  const { pins, saved } = pinsWith({ ...recordOf("same", "other", "gone", "back"), withdrawn: ["back"] })
  await pins.read(connectionOf({ tools: ["same", "back", "new"].map((name) => tool(name)) }), signal)
  await pins.read(connectionOf({ tools: [tool("same"), tool("other", "Changed."), tool("back"), tool("new")] }), signal)
  assert.deepEqual(pins.tools(), [pinned("same")])
  assert.deepEqual(
    pins.changes().map(({ kind }) => kind),
    ["changed", "returned", "added"],
  )
  const line = pins.changedLine()
  assert.equal(
    line && englishOf(line),
    "The MCP server fixture has changed 3 tools since you accepted them; they are off: /mcp accept fixture",
  )
  pins.accept()
  const after = saved.at(-1)
  assert.deepEqual(
    [after?.tools.map(({ name }) => name), after?.withdrawn],
    [["same", "other", "back", "new", "gone"], ["gone"]],
  )
  assert.deepEqual([pins.changes(), pins.changedLine(), pins.tools()?.length], [[], null, 4])
})

test("only removed tools: there is a change, and no line about it", async () => {
  const { pins } = pinsWith(recordOf("a", "b"))
  const { tools } = connectionOf({ tools: [tool("a")] })
  await pins.read({ ...connectionOf({}), tools }, signal)
  assert.deepEqual([pins.tools(), pins.changedLine()], [[pinned("a")], null])
  pins.accept()
  assert.deepEqual(pins.tools(), [pinned("a")])
})

test("what is wrong with tools and prompts is listed, and the pinned prompts stay where the server refuses theirs", async () => {
  const prompts = [{ name: "p", description: "", arguments: [] }]
  const refusal = (code: unknown) => async () => {
    throw Object.assign(new Error("no prompts today"), { code })
  }
  const { pins } = pinsWith({ ...recordOf(), prompts })
  await pins.read(connectionOf({ tools: [{}], prompts: refusal(-32_603) }), signal)
  assert.deepEqual(pins.problems(), ["a tool has no name", "its prompts: no prompts today"])
  assert.deepEqual(pins.prompts(), prompts)
  for (const code of [undefined, "EPIPE"])
    await assert.rejects(pins.read(connectionOf({ prompts: refusal(code) }), signal), /no prompts today/)
  await pins.read(connectionOf({}), signal)
  assert.deepEqual([pins.problems(), pins.prompts()], [[], []])
})

test("prompts that do not come in time are left out; an abort of the caller is an error", async () => {
  const silent: Connection["prompts"] = (until) =>
    new Promise((_, reject) => until.addEventListener("abort", () => reject(new Error("stopped"))))
  const { pins, clock } = pinsWith()
  const reading = pins.read(connectionOf({ tools: [tool("a")], prompts: silent }), signal)
  await clock.advance(times.prompts)
  await reading
  assert.deepEqual([pins.problems(), pins.tools()], [["its prompts: no answer within 5 s"], [pinned("a")]])
  const stop = new AbortController()
  const stopped = pins.read(connectionOf({ prompts: silent }), stop.signal)
  const rejected = assert.rejects(stopped, /stopped/)
  await clock.advance(0)
  stop.abort()
  await rejected
})
