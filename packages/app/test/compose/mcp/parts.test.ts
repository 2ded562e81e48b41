import assert from "node:assert/strict"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { englishOf, failure, FailureError, type HookContext } from "@gong/spec"
import { folder } from "@gong/testing/folder"
import { english } from "@gong/texts/translator"
import { changeTexts, rowTexts, stateText } from "../../../src/administration/mcp-texts.ts"
import { openInBrowser } from "../../../src/compose/mcp/browser.ts"
import type { McpOptions, McpRow } from "../../../src/compose/mcp/parts.ts"
import type { Member } from "../../../src/compose/mcp/pool.ts"
import { promptCommands, promptHook } from "../../../src/compose/mcp/prompts.ts"
import { recordFile, recordNames } from "../../../src/compose/mcp/records.ts"
import { offRow } from "../../../src/compose/mcp/rows.ts"
import { createStderrLog } from "../../../src/compose/mcp/stderr-log.ts"

interface Prompt {
  readonly name: string
  readonly description?: string
  readonly arguments?: readonly { readonly name: string; readonly required: boolean }[]
}

function commandsOf(prompts: readonly Prompt[], { on = true, fails = false } = {}) {
  const calls: unknown[] = []
  const server = {
    prompts: () => prompts.map((one) => ({ description: "", arguments: [], ...one })),
    async prompt(name: string, args: object) {
      calls.push([name, args])
      if (fails) throw new FailureError(failure("bad-request", "The server refuses."))
      return { messages: [{ role: "user", content: { type: "text", text: `of ${name}` } }] }
    },
  }
  const member = { config: { name: "docs" }, pooled: { server }, on } as unknown as Member
  return { calls, commands: () => promptCommands([member], (signal) => ({ signal }) as never) }
}

const named = (...names: readonly string[]) => names.map((name) => ({ name, required: name === name.toUpperCase() }))

test("the prompts of a server are commands with their arguments, unless the server is off", () => {
  const prompts = [{ name: "review", description: "Reviews.", arguments: named("FILE", "style") }, { name: "plain" }]
  const shown = commandsOf(prompts)
    .commands()
    .map(({ run: _, ...one }) => one)
  assert.deepEqual(shown, [
    { name: "docs:review", about: "Reviews.", value: "FILE [STYLE]" },
    { name: "docs:plain", about: "a prompt of the MCP server docs" },
  ])
  assert.deepEqual(commandsOf(prompts, { on: false }).commands(), [])
})

test("arguments of a prompt: words in order, by name, and the rest of the line for the last", async () => {
  for (const [names, rest, args] of [
    [["a", "b"], "", {}],
    [["a", "b"], " ", {}],
    [["a", "b"], "one", { a: "one" }],
    [["a", "b"], " one  two three ", { a: "one", b: "two three" }],
    [["a", "b"], "b=x one y", { a: "one y", b: "x" }],
    [["a", "b"], "a=x=y z", { a: "x=y", b: "z" }],
    [["a"], "c=1", { a: "c=1" }],
    [["a"], "a=", { a: "" }],
    [["a.b-c"], "a.b-c=1 x", { "a.b-c": "1" }],
    [[], "one two", {}],
  ] as const) {
    const { commands, calls } = commandsOf([{ name: "p", arguments: named(...names) }])
    assert.deepEqual(await commands()[0]?.run(rest, {}), { prompt: "of p" })
    assert.deepEqual(calls, [["p", args]], rest)
  }
})

function hook(
  parts: { readonly fails?: boolean; readonly resource?: (server: string, uri: string) => Promise<string | null> } = {},
) {
  const { commands, calls } = commandsOf([{ name: "p" }], parts)
  const read = parts.resource ?? (async (server, uri) => (server === "docs" ? `text of ${uri}` : null))
  const { onInput } = promptHook(commands, read)
  const context = { signal: new AbortController().signal } as unknown as HookContext
  return { calls, input: async (text: string) => onInput?.(text, [], context) }
}

const block = (uri: string, text = `text of ${uri}`, server = "docs") =>
  `<resource name="${server}:${uri}">\n${text}\n</resource>`

test("a message that begins with a prompt becomes its text; a failure is reported, other messages pass", async () => {
  assert.deepEqual(await hook().input("/docs:p a"), { answer: "transform", text: "of p" })
  for (const text of ["/docs:q", "docs:p", "hello", " /docs:p"])
    assert.deepEqual(await hook().input(text), { answer: "passthrough" }, text)
  const failed = await hook({ fails: true }).input("/docs:p")
  assert.equal(failed?.answer, "handled")
  assert.equal(failed?.answer === "handled" && englishOf(failed.failure ?? ""), "/docs:p: The server refuses.")
})

test("resources of servers that a message mentions are added to it, at most ten", async () => {
  const { input } = hook()
  const added = async (text: string) => {
    const answer = await input(text)
    return answer?.answer === "transform" ? answer.text.slice(text.length) : answer?.answer
  }
  assert.equal(
    await added("see @docs:a://b and\n@docs:c+d.e-f://g?x"),
    `\n\n${block("a://b")}\n\n${block("c+d.e-f://g?x")}`,
  )
  assert.equal(await added('@docs:a://"'), `\n\n${block("a://&quot;", 'text of a://"')}`)
  for (const text of [
    "x@docs:a://b",
    "@none:a://b",
    "@docs:a:/b",
    "@docs:1a://b",
    `@${"d".repeat(33)}:a://b`,
    "@docs a://b",
  ])
    assert.equal(await added(text), "passthrough", text)
  const many = Array.from({ length: 11 }, (_, at) => `@docs:a://${at}`).join(" ")
  const blocks = String(await added(many)).match(/<resource /g)
  assert.equal(blocks?.length, 10)
})

test("a resource is cut over 50,000 characters, and one that cannot be read is reported", async () => {
  const sized = async (length: number) => {
    const answer = await hook({ resource: async () => "x".repeat(length) }).input("@docs:a://b")
    return answer?.answer === "transform" ? answer.text : ""
  }
  assert.ok((await sized(50_000)).endsWith(block("a://b", "x".repeat(50_000))))
  assert.ok((await sized(50_002)).endsWith(block("a://b", `${"x".repeat(50_000)}\n[2 more characters]`)))
  const failed = await hook({
    resource: async () => {
      throw new FailureError(failure("bad-request", "No such resource."))
    },
  }).input("see @docs:a://b")
  assert.equal(failed?.answer === "handled" && englishOf(failed.failure ?? ""), "@docs:a://b: No such resource.")
})

const tool = (name: string, description = "d") => ({
  name,
  exposed: `s__${name}`,
  description,
  schema: { type: "object" },
})

const row: McpRow = {
  name: "s",
  level: "user",
  place: "/h/mcp.json:2",
  target: "run it",
  state: { kind: "idle" } as McpRow["state"],
  tools: ["s__a"],
  prompts: [],
  resources: false,
  changes: [],
  problems: [],
}

test("the state of a server in a few words", () => {
  const state = (more: object) => stateText(english, { ...row, ...more })
  for (const [more, text] of [
    [{}, "1 tool"],
    [{ tools: [] }, "0 tools"],
    [{ tools: ["a", "b"] }, "2 tools"],
    [{ tools: null }, "never started"],
    [{ state: { kind: "off" } }, "off"],
    [{ state: { kind: "failed", why: "it\u001b ended" } }, "failed: it\u241b ended"],
    [{ state: { kind: "login" } }, "requires a login"],
    [{ changes: [{ kind: "removed", before: tool("a") }] }, "1 tool"],
    [{ changes: [{ kind: "added", tool: tool("a") }] }, "changed tools are off"],
  ] as const)
    assert.equal(state(more), text)
})

test("a server with all that it offers, line by line", () => {
  assert.deepEqual(rowTexts(english, row), ["s: 1 tool", "  run it (/h/mcp.json:2)", "  s__a"])
  const ready = { kind: "ready", title: "My\u001b server", revision: "2025-11-25" } as McpRow["state"]
  assert.deepEqual(
    rowTexts(english, {
      ...row,
      state: ready,
      tools: null,
      prompts: ["p"],
      resources: true,
      problems: ["x\u001b: no schema"],
      changes: [{ kind: "added", tool: tool("b") }],
    }),
    [
      "s: changed tools are off, My\u241b server, 2025-11-25",
      "  run it (/h/mcp.json:2)",
      "  /s:p",
      "  resources: @s:URI",
      "  left out: x\u241b: no schema",
      "  changed since you accepted them (gong mcp trust s):",
      "  + b",
      "  +   d",
      '  +   {"type":"object"}',
    ],
  )
})

test("changes are shown in at most 400 lines of 500 characters", () => {
  const added = (description: string) => changeTexts([{ kind: "added", tool: tool("b", description) }])
  assert.equal(added(Array(398).fill("x").join("\n")).length, 400)
  assert.equal(added(Array(400).fill("x").join("\n")).length, 400)
  assert.deepEqual(
    added("y".repeat(600)).map(({ length }) => length),
    [3, 500, 21],
  )
  assert.deepEqual(changeTexts([]), [])
})

test("a server that is off, as a row: its target without the passwords of addresses", () => {
  const target = (entry: object) =>
    offRow({ name: "s", level: "project", place: "/p", entry, written: "", disabled: true }).target
  assert.equal(target({ command: "run", args: ["a", "b"] }), "run a b")
  assert.equal(target({ command: "run" }), "run")
  assert.equal(target({ url: "https://u:secret@h/x" }), "https://u:***@h/x")
  assert.equal(
    target({ command: "run", args: ["http://a:b@h", "http://h:80/a@b"] }),
    "run http://a:***@h http://h:80/a@b",
  )
  assert.deepEqual(offRow({ name: "s", level: "project", place: "/p", entry: {}, written: "", disabled: true }), {
    name: "s",
    level: "project",
    place: "/p",
    target: "",
    state: { kind: "off" },
    tools: null,
    prompts: [],
    resources: false,
    changes: [],
    problems: [],
  })
})

test("the output of a server: the last 64 KB, and its last line", () => {
  const log = createStderrLog()
  assert.deepEqual([log.text(), log.last()], ["", ""])
  const bytes = Buffer.from("é\n")
  log.add(bytes.subarray(0, 1))
  log.add(bytes.subarray(1))
  log.line("x".repeat(3_000))
  assert.equal(log.text(), `é\n${"x".repeat(2_000)}\n`)
  assert.equal(log.last(), `: ${"x".repeat(300)}`)
  log.add(Buffer.from("  the end \n\n"))
  assert.equal(log.last(), ": the end")
  for (let at = 0; at < 40; at++) log.line("y".repeat(2_000))
  assert.equal(log.text().length, 65_536)
})

const record = { tools: [], withdrawn: [], prompts: [], resources: false, era: null }

function optionsIn(home: string, workspace = "/w"): McpOptions {
  return { config: { home, workspace: { folder: workspace } } } as unknown as McpOptions
}

const config = (level: "user" | "project", entry: object, name = "s") => ({
  name,
  level,
  place: "",
  entry,
  written: JSON.stringify(entry),
  disabled: false,
})

test("a record holds for the command or address that is written, and of a repository for its folder", (t) => {
  const home = join(folder(t), "home")
  const one = recordFile(optionsIn(home), config("user", { command: "a", args: ["b"], timeout: 1 }))
  assert.equal(one.load(), null)
  one.save(record)
  assert.notEqual(one.load(), null)
  assert.deepEqual(readdirSync(join(home, "mcp")), ["s.json"])
  const load = (level: "user" | "project", entry: object, workspace?: string) =>
    recordFile(optionsIn(home, workspace), config(level, entry)).load() !== null
  assert.equal(load("user", { command: "a", args: ["b"], timeout: 2 }), true, "other fields do not matter")
  for (const other of [{ command: "a" }, { command: "a", args: ["b"], cwd: "/" }, { url: "http://h" }])
    assert.equal(load("user", other), false, JSON.stringify(other))
  recordFile(optionsIn(home, "/w/x"), config("project", { command: "a" })).save(record)
  assert.deepEqual(readdirSync(join(home, "mcp")).toSorted(), ["s.json", "s@%2Fw%2Fx.json"])
  assert.equal(load("project", { command: "a" }, "/w/x"), true)
  assert.equal(load("project", { command: "a" }, "/w/y"), false)
  recordFile(optionsIn(home), config("user", { command: "a" }, "s2")).save(record)
  assert.deepEqual(
    recordNames(home, "s").map((path) => path.slice(home.length)),
    ["/mcp/s.json", "/mcp/s@%2Fw%2Fx.json"],
  )
  assert.deepEqual(recordNames(join(home, "none"), "s"), [])
  writeFileSync(join(home, "mcp/s.json"), "{")
  assert.equal(one.load(), null)
})

test("a record over 16 million characters counts as none, and one that cannot be stored is no error", (t) => {
  const home = folder(t, { file: "" })
  const one = recordFile(optionsIn(home), config("user", { command: "a" }))
  one.save(record)
  const path = join(home, "mcp/s.json")
  const text = readFileSync(path, "utf8")
  writeFileSync(path, text.padEnd(16_000_000))
  assert.notEqual(one.load(), null)
  writeFileSync(path, text.padEnd(16_000_001))
  assert.equal(one.load(), null)
  recordFile(optionsIn(join(home, "file")), config("user", { command: "a" })).save(record)
  assert.ok(!existsSync(join(home, "file/mcp")))
})

test("a login opens web addresses alone, by the program of the system, and none without a display", async () => {
  const opened = async (platform: string, address: string, env: Readonly<Record<string, string>> = {}) => {
    const ran: unknown[] = []
    const exec = async (command: readonly string[], { cwd }: { readonly cwd: string }) => {
      ran.push([command, cwd])
      throw new Error("there is no such program")
    }
    const options = { services: { platform, env, userHome: "/home/u" }, config: { machine: { exec } } }
    await openInBrowser(options as unknown as McpOptions, new URL(address))
    return ran
  }
  const on = { DISPLAY: ":0" }
  const ran = (program: string, address: string) => [[[program, address], "/home/u"]]
  assert.deepEqual(await opened("linux", "https://h/a", on), ran("xdg-open", "https://h/a"))
  assert.deepEqual(await opened("linux", "http://h/", { WAYLAND_DISPLAY: "w" }), ran("xdg-open", "http://h/"))
  assert.deepEqual(await opened("linux", "https://h/"), [])
  assert.deepEqual(await opened("darwin", "https://h/"), ran("open", "https://h/"))
  assert.deepEqual(await opened("win32", "https://h/"), ran("explorer.exe", "https://h/"))
  for (const address of ["file:///etc/passwd", "javascript:alert(1)", "ftp://h/"])
    assert.deepEqual(await opened("linux", address, on), [], address)
})
