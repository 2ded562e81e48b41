import assert from "node:assert/strict"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { registerHooks, stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { fileURLToPath } from "node:url"
import { type Event, projection, textOf, type Tool } from "@gong/spec"
import { servicesOf } from "../services.ts"

// The steps in the header of the example: a copy in a folder of tools, and a line in the table.

const tools = new URL("../../../tools/src/", import.meta.url).href
const [table, copy] = [`${tools}built-in.ts`, `${tools}append/tool.ts`]
const example = readFileSync(join(import.meta.dirname, "../../../../examples/tool/append.ts"), "utf8")
const row = /^ +\*\s+(\{ declaration: .* \},)$/m.exec(example)?.[1] ?? ""
const head = "export const builtIns: readonly BuiltIn[] = [\n"
const text = readFileSync(fileURLToPath(table), "utf8")
assert.equal(text.split(head).length, 2, "the table of tools is where the line is added")
const planted = new Map([
  [copy, example.replaceAll('"../../packages/tools/src/', '"../')],
  [
    table,
    `import { appendDeclaration, createAppendTool } from "./append/tool.ts"\n${text.replace(head, `${head}  ${row}\n`)}`,
  ],
])
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "./append/tool.ts" ? { url: copy, shortCircuit: true } : next(specifier, context),
  load: (from, context, next) => {
    const source = planted.get(from)
    if (source === undefined) return next(from, context)
    return { format: "module", source: stripTypeScriptTypes(source), shortCircuit: true }
  },
})

const { scriptedProvider } = await import("@gong/llm/scripted")
const { builtInDeclarations } = await import("@gong/tools")
const { renderersOf, summaryOf } = await import("@gong/tools/render")
const { openSession } = await import("@gong/app/compose/open-session")
const { progressLines } = await import("../../src/modes/progress.ts")
const { systemClock } = await import("@gong/app/ports")
const { titleText } = await import("@gong/texts/titles")
const { english, translator } = await import("@gong/texts/translator")

const append = (file: string, words: string) => ({ name: "append", arguments: { file, text: words } })

async function withAppend(t: TestContext, calls: readonly ReturnType<typeof append>[], settings: object = {}) {
  const services = servicesOf(t)
  const gongHome = services.env["GONG_HOME"] ?? ""
  mkdirSync(gongHome, { mode: 0o700 })
  writeFileSync(join(gongHome, "settings.json"), JSON.stringify(settings))
  mkdirSync(join(services.cwd, "notes"))
  writeFileSync(join(services.cwd, "notes/AGENTS.md"), "Notes are short.\n")
  writeFileSync(join(services.cwd, "notes/a.txt"), "one\n")
  const provider = scriptedProvider([{ calls }, { text: "done" }, { text: "fine" }, { text: "what was done" }], {
    clock: systemClock,
  })
  const built = await openSession({ permission: "auto", sandbox: "off" }, services, { provider })
  assert.ok(built.ok)
  t.after(() => built.value.close())
  const { session } = built.value
  const events: Event[] = []
  const { project } = projection({ partial: false, contextWindow: 0 })
  session.subscribe((step) => void events.push(...project(step)))
  const run = async (prompt: string) => assert.equal((await session.prompt(prompt)).status, "done")
  const ends = () => events.flatMap((event) => (event.type === "tool_execution_end" ? [event] : []))
  return {
    services,
    session,
    provider,
    events,
    ends,
    run,
    read: (path: string) => readFileSync(join(services.cwd, path), "utf8"),
  }
}

test("a new built-in tool is offered, and policy checks its paths by its effect and by rules of other writing tools", async (t) => {
  const calls = [
    append("notes/a.txt", "two\n"),
    append("/etc/gong-new-tool", "x"),
    append(".git/config", "x"),
    append("kept/a", "x"),
  ]
  const { provider, ends, run, read } = await withAppend(t, calls, { rules: { deny: ["edit(kept/**)"] } })
  await run("go")
  assert.equal(provider.requests[0]?.tools[0]?.name, "append")
  const [inside, outside, git, kept] = ends()
  assert.deepEqual(
    [inside, outside, git, kept].map((end) => end?.status),
    ["ok", "refused", "refused", "refused"],
  )
  assert.match(outside ? textOf(outside) : "", /outside/)
  assert.match(kept ? textOf(kept) : "", /edit\(kept/)
  assert.equal(read("notes/a.txt"), "one\ntwo\n")
  assert.match(inside ? textOf(inside) : "", /Notes are short\./, "instructions of the folder of its file")
})

test("hooks receive a new built-in tool under its alias, with declared arguments and absolute paths", async (t) => {
  const command = `cat >> "$GONG_PROJECT_DIR/hook.json"`
  const hooks = { PreToolUse: [{ matcher: "Append", hooks: [{ type: "command", command }] }] }
  const { services, run, read } = await withAppend(t, [append("notes/a.txt", "two\n")], { hooks })
  await run("go")
  const { tool_name, tool_input } = JSON.parse(read("hook.json")) as Record<string, unknown>
  assert.deepEqual([tool_name, tool_input], ["Append", { file_path: join(services.cwd, "notes/a.txt"), text: "two\n" }])
})

test("a new built-in tool is rendered as declared: lines, summary, title, progress", async (t) => {
  const { session, events, ends, run } = await withAppend(t, [append("notes/a.txt", "two")])
  await run("go")
  const [end] = ends()
  assert.ok(end)
  const declared = builtInDeclarations("append")
  const tool: Pick<Tool, "name" | "title"> = { name: "append", title: () => "" }
  const result = { ...end, details: end.details ?? null, isError: false }
  const { lines } = renderersOf({ ...declared, ...tool }).renderResult(result, {})
  assert.deepEqual(lines, [[{ text: "+ two", style: "added" }]])
  assert.equal(summaryOf(declared, result).text, "+1 -0")
  const chinese = await translator("zh-CN")
  assert.deepEqual(
    [
      titleText(chinese, session.declared("append"), { title: "3 lines", args: { lines: 3 } }),
      titleText(chinese, session.declared("append"), { title: "3 lines", args: {} }),
      titleText(chinese, null, { title: "3 lines", args: { lines: 3 } }),
    ],
    ["3 行", "3 lines", "3 lines"],
  )
  const shown = events
    .map(progressLines({ t: english, declared: session.declared, undo: null, output: null }))
    .flatMap((line) => (line ? [line.text] : []))
  assert.match(shown.join("\n"), /^append notes\/a\.txt .*\+1 -0$/m)
})

test("files changed by a new built-in tool survive a compaction, and undo keeps later changes by others", async (t) => {
  const settings = { compaction: { keepRecentTokens: 1000 } }
  const { services, session, run, read } = await withAppend(t, [append("notes/a.txt", "two\n")], settings)
  await run("go")
  await run("word ".repeat(20_000))
  assert.equal((await session.compact()).status, "done")
  const carried = session.history.branch.entry(session.history.branch.length - 1)
  assert.deepEqual(carried.type === "compaction" && carried.carried?.changed, ["notes/a.txt"])
  writeFileSync(join(services.cwd, "notes/a.txt"), "zero\none\ntwo\n")
  const undone = await session.undo()
  assert.deepEqual([undone.merged, undone.kept], [[join(services.cwd, "notes/a.txt")], []])
  assert.equal(read("notes/a.txt"), "zero\none\n")
})
