import assert from "node:assert/strict"
import { test } from "node:test"
import type { Tool } from "@gong/spec"
import { createAllTools, mergeTools, wrapToolDefinition } from "../src/index.ts"
import { defineTool } from "../src/render/index.ts"
import { fromText } from "../src/result.ts"
import { lines, place } from "./workspace.ts"

const builtIn = { from: "Gong", tools: Object.values(createAllTools("/w")) }

function tool(name: string): Tool {
  return {
    ...createAllTools("/w").ls,
    name,
    execute: async (callId, args) => fromText(`${callId} ${JSON.stringify(args)}`),
  }
}

test("[TOOLDEF-7] extension tools follow the built-in ones", () => {
  const weather = tool("weather")
  const { tools, conflicts } = mergeTools([builtIn, { from: "extension weather", tools: [weather] }])
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["read", "write", "edit", "bash", "grep", "find", "ls", "weather"],
  )
  assert.equal(tools.at(-1), weather)
  assert.deepEqual(conflicts, [])
})

test("a name that rules cannot distinguish, or reserve, is left out", () => {
  const source = { from: "extension a", tools: [tool("Read"), tool("Network"), tool("Deploy"), tool("deploy")] }
  const { tools, conflicts } = mergeTools([builtIn, source], ["network"])
  assert.deepEqual(
    tools.slice(7).map(({ name }) => name),
    ["Deploy"],
  )
  assert.deepEqual(conflicts, [
    "The tool Read of extension a is left out: Gong has one of this name. Rename it.",
    "The tool Network of extension a is left out: rules have this name for something else. Rename it.",
    "The tool deploy of extension a is left out: extension a has one of this name. Rename it.",
  ])
})

test("[TOOLDEF-8] of two equal names the first stays, and the others are reported", () => {
  const first = tool("weather")
  const { tools, conflicts } = mergeTools([
    builtIn,
    { from: "extension a", tools: [first, tool("read")] },
    { from: "extension b", tools: [tool("weather"), tool("not a name")] },
  ])
  assert.equal(tools.length, 8)
  assert.equal(tools[0], builtIn.tools[0])
  assert.equal(tools.at(-1), first)
  assert.deepEqual(conflicts, [
    "The tool read of extension a is left out: Gong has one of this name. Rename it.",
    "The tool weather of extension b is left out: extension a has one of this name. Rename it.",
    'The tool "not a name" of extension b is left out: a name is 1 to 64 of a-z A-Z 0-9 _ -.',
  ])
})

test("[TOOLDEF-3] [TOOLDEF-4] without its renderers a definition is a tool without rendering", async (t) => {
  const here = place(t)
  here.put("a.txt", lines(2))
  const definition = defineTool(createAllTools(here.cwd).read)
  const agentTool = wrapToolDefinition(definition)
  for (const part of ["renderCall", "renderResult", "title"]) assert.equal(part in agentTool, false, part)
  const { content, details } = await agentTool.execute("c1", { path: "a.txt" })
  const same = await definition.execute("c1", { path: "a.txt" } as never, {
    signal: new AbortController().signal,
    onProgress() {},
  })
  assert.deepEqual({ content, details }, { content: same.content, details: same.details })
  assert.equal(content[0]?.type === "text" && content[0].text, lines(2))
  const aborted = await agentTool.execute("c2", { path: "a.txt" }, AbortSignal.abort())
  assert.equal(aborted.isError, true)
  const updates: string[] = []
  const bash = wrapToolDefinition(defineTool(createAllTools(here.cwd).bash))
  await bash.execute("c3", { command: "echo hi" }, undefined, (delta) => updates.push(delta))
  assert.deepEqual(updates.join(""), "hi\n")
})
