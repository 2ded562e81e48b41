import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { textOf, type Tool } from "@gong/spec"
import { scriptedProvider } from "@gong/llm/scripted"
import { openSession } from "../../src/compose/open-session.ts"
import type { SessionSpec } from "@gong/config/session-spec"
import { systemClock } from "../../src/ports.ts"
import { servicesOf } from "./services.ts"

const weather: Tool = {
  name: "weather",
  label: "Weather",
  description: "Tell the weather of a city.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  promptSnippet: "Tell the weather",
  promptGuidelines: [],
  readOnly: true,
  interruptible: true,
  title: (args) => String(args["city"]),
  execute: async (_callId, args: { city: string }) => ({
    content: [{ type: "text", text: `sunny in ${args.city}` }],
    details: null,
    isError: false,
  }),
}

async function withTools(t: TestContext, customTools: readonly Tool[], options: SessionSpec = {}) {
  const call = { calls: [{ name: "weather", arguments: { city: "Suzhou" } }] }
  const provider = scriptedProvider([call, { text: "done" }], { clock: systemClock })
  const built = await openSession({ permission: "full", ...options }, servicesOf(t), { provider, customTools })
  assert.ok(built.ok)
  t.after(() => built.value.close())
  assert.equal((await built.value.session.prompt("how is it?")).status, "done")
  return {
    ...built.value,
    requests: provider.requests,
    offered: provider.requests[0]?.tools.map(({ name }) => name) ?? [],
  }
}

test("[TOOLDEF-9] custom tools in the options of a session are offered to the model, and run", async (t) => {
  const { requests, offered, info, lines } = await withTools(t, [weather])
  assert.deepEqual(offered, ["read", "write", "edit", "bash", "grep", "find", "ls", "weather"])
  assert.deepEqual(info.tools, offered)
  const answer = requests[1]?.messages.findLast((message) => message.role === "tool")
  assert.equal(answer && textOf(answer), "sunny in Suzhou")
  assert.ok(!lines.some((line) => line.includes("left out")))
})

test("[TOOLDEF-8] a custom tool with the name of a built-in one is omitted with a notice; --tools selects among all", async (t) => {
  const { offered, lines } = await withTools(t, [weather, { ...weather, name: "read" }], { tools: "read,weather" })
  assert.deepEqual(offered, ["read", "weather"])
  const printed = "gong: The tool read of the session's options is left out: Gong has one of this name. Rename it."
  assert.ok(lines.includes(printed))
})
