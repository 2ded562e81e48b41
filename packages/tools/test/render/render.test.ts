import assert from "node:assert/strict"
import { test } from "node:test"
import type { Rendered, RenderedResult, Tool } from "@gong/spec"
import { builtInDeclarations, createAllTools } from "../../src/index.ts"
import { defineTool, renderersOf, summaryOf } from "../../src/render/index.ts"
import { context, lines, place } from "../workspace.ts"

const tools = createAllTools("/w")
const read = renderersOf(tools.read)

function plain({ lines }: Rendered): readonly string[] {
  return lines.map((line) => line.map(({ text }) => text).join(""))
}

function textResult(text: string, more: Partial<RenderedResult> = {}): RenderedResult {
  return { content: [{ type: "text", text }], details: null, isError: false, ...more }
}

test("[RENDER-1] [RENDER-2] a call shows its name and title, with the requested lines", () => {
  const call = (args: Readonly<Record<string, unknown>>) => plain(read.renderCall(args, {}))
  assert.deepEqual(call({ path: "main.ts" }), ["read main.ts"])
  assert.deepEqual(call({ path: "src/utils/helper.ts", offset: 10, limit: 41 }), ["read src/utils/helper.ts:10-50"])
  assert.deepEqual(call({ path: "a.ts", offset: 7 }), ["read a.ts:7"])
  assert.deepEqual(call({ path: "a.ts", limit: 5 }), ["read a.ts:1-5"])
  assert.deepEqual(read.renderCall({ path: "a.ts" }, {}).lines, [
    [
      { text: "read", style: "name" },
      { text: " a.ts", style: "title" },
    ],
  ])
})

test("[RENDER-3] while arguments stream, only complete ones are shown", () => {
  const partial = { isPartial: true }
  assert.deepEqual(plain(read.renderCall({}, partial)), ["read ..."])
  assert.deepEqual(plain(read.renderCall({ path: "src/ma" }, partial)), ["read ..."])
  assert.equal(read.renderCall({ path: "src/ma" }, partial).streaming, true)
  const write = renderersOf(tools.write)
  assert.deepEqual(plain(write.renderCall({ path: "a.ts", content: "cons" }, partial)), ["write a.ts ..."])
  assert.deepEqual(plain(renderersOf(tools.ls).renderCall({}, partial)), ["ls ..."])
})

test("[RENDER-4] [RENDER-5] a long result shows its first lines with numbers, and all of them expanded", () => {
  const result = textResult(lines(60))
  const short = plain(read.renderResult(result, {}))
  assert.equal(short.length, 11)
  assert.deepEqual([short[0], short[9]], [" 1  line 1", "10  line 10"])
  assert.equal(short[10], "... (50 more lines, ctrl+e to expand)")
  const all = plain(read.renderResult(result, { expanded: true }))
  assert.deepEqual([all.length, all[59]], [60, "60  line 60"])
  assert.equal(plain(read.renderResult(result, { expandKey: null }))[10], "... (50 more lines)")
  const [first] = read.renderResult(result, {}).lines
  assert.deepEqual(first, [
    { text: " 1  ", style: "number" },
    { text: "line 1", style: "plain" },
  ])
})

test("the lines of a page have their own numbers; remarks of read follow without one", async (t) => {
  const here = place(t)
  here.put("a.txt", lines(30))
  const real = createAllTools(here.cwd).read
  const args = { path: "a.txt", offset: 9, limit: 2 }
  const result = await real.execute("c", args as never, context())
  assert.deepEqual(plain(renderersOf(real).renderResult(result, { args })), [
    " 9  line 9",
    "10  line 10",
    "[20 more lines in file. Use offset=11 to continue.]",
  ])
})

test("[RENDER-6] incomplete output is marked as streaming, and of a command the last lines are shown", () => {
  const bash = renderersOf(tools.bash)
  const partial = bash.renderResult(textResult(lines(12)), { isPartial: true })
  assert.equal(partial.streaming, true)
  const shown = plain(partial)
  assert.deepEqual(
    [shown[0], shown[1], shown.at(-2), shown.at(-1)],
    ["... (2 earlier lines, ctrl+e to expand)", "line 3", "line 12", "..."],
  )
  const done = bash.renderResult(textResult(lines(12)), {})
  assert.deepEqual([done.streaming, plain(done).at(-1)], [false, "line 12"])
})

test("[RENDER-7] an unchanged component is returned as it is, and unchanged lines are reused", () => {
  const bash = renderersOf(tools.bash)
  const one = bash.renderResult(textResult("a\nb\n"), {})
  assert.equal(bash.renderResult(textResult("a\nb\n"), { lastComponent: one }), one)
  const two = bash.renderResult(textResult("a\nb\nc\n"), { lastComponent: one })
  assert.notEqual(two, one)
  assert.equal(two.lines[1], one.lines[1])
  const streaming = bash.renderResult(textResult("a\nb\n"), { lastComponent: one, isPartial: true })
  assert.notEqual(streaming, one)
  assert.equal(bash.renderResult(textResult("a\nX\n"), { lastComponent: one }).lines[0], one.lines[0])
})

test("[RENDER-8] the diff of an edit: added, removed and context lines", async (t) => {
  const here = place(t)
  here.put("a.txt", lines(20))
  const { edit } = createAllTools(here.cwd)
  const args = { path: "a.txt", edits: [{ oldText: "line 10\n", newText: "line ten\n" }] }
  const result = await edit.execute("c", args as never, context())
  const shown = renderersOf(edit).renderResult(result, {}).lines
  const styles = (style: string) => shown.filter(([first]) => first?.style === style).map(([first]) => first?.text)
  assert.deepEqual(styles("removed"), ["- 10 line 10"])
  assert.deepEqual(styles("added"), ["+ 10 line ten"])
  assert.equal(styles("dim").length, 2)
  assert.equal(styles("plain").length, 8)
})

test("an error is shown as such, an image by its type", () => {
  const failed = read.renderResult(textResult("ENOENT: gone", { isError: true }), {})
  assert.deepEqual(failed.lines, [[{ text: "ENOENT: gone", style: "error" }]])
  const image = { type: "image", mimeType: "image/png", data: "" } as const
  const picture = read.renderResult(
    { content: [{ type: "text", text: "Read" }, image], details: null, isError: false },
    {},
  )
  assert.deepEqual(plain(picture), ["Read", "[image/png]"])
})

test("[RENDER-9] [TOOLDEF-2] each of the seven tools has complete renderers; a tool's own renderers are used", () => {
  const parts = {
    name: "string",
    label: "string",
    description: "string",
    promptSnippet: "string",
    promptGuidelines: "object",
    parameters: "object",
    execute: "function",
    renderCall: "function",
    renderResult: "function",
  } as const
  for (const tool of Object.values(tools)) {
    const definition = defineTool(tool)
    for (const [part, type] of Object.entries(parts)) {
      const value: unknown = definition[part as keyof typeof parts]
      assert.ok(typeof value === type && value !== null && value !== "", `${tool.name} ${part}`)
    }
    const result = plain(definition.renderResult(textResult("one\ntwo"), {}))
    assert.match(result.join("\n"), /one\n.*two/)
    assert.match(
      plain(definition.renderCall({ path: "p", pattern: "p", command: "p" }, {})).join("\n"),
      RegExp(`^${tool.name} p`),
    )
  }
  const own: Rendered = { lines: [], streaming: false }
  const custom: Tool & { renderCall: () => Rendered } = { ...tools.ls, name: "weather", renderCall: () => own }
  assert.equal(defineTool(custom).renderCall({}, {}), own)
  assert.deepEqual(plain(defineTool(custom).renderResult(textResult("sunny"), {})), ["sunny"])
})

test("the outcome of a call in a few words", () => {
  const ok = { content: [{ type: "text", text: "a\nb\n" }], details: null, status: "ok" } as const
  const change = { path: "a", change: "modified", added: 2, removed: 1 } as const
  assert.equal(summaryOf(builtInDeclarations("ls"), { ...ok, details: { entry_count: 1 } }).text, "1 entry")
  assert.equal(
    summaryOf(builtInDeclarations("grep"), { ...ok, details: { match_count: 2, file_count: 1 } }).text,
    "2 matches in 1 file",
  )
  assert.equal(summaryOf(builtInDeclarations("find"), { ...ok, details: { total: 0 } }).text, "0 paths")
  assert.equal(summaryOf(builtInDeclarations("read"), { ...ok, details: { line_count: 24 } }).text, "24 lines")
  assert.equal(summaryOf(builtInDeclarations("edit"), { ...ok, files: [change] }).text, "+2 -1")
  assert.equal(summaryOf(builtInDeclarations("bash"), { ...ok, details: { exit_code: 0 } }).text, "")
  assert.equal(
    summaryOf(builtInDeclarations("bash"), { ...ok, status: "error", details: { exit_code: 3 } }).text,
    "exit 3",
  )
  assert.equal(summaryOf(builtInDeclarations("bash"), { ...ok, status: "timeout" }).text, "timeout")
  assert.equal(summaryOf(builtInDeclarations("read"), { ...ok, status: "refused" }).text, "refused")
  assert.equal(summaryOf(builtInDeclarations("weather"), ok).text, "2 lines")
})
