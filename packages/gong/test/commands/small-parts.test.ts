import assert from "node:assert/strict"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import type { Event, ModelRequest } from "@gong/spec"
import type { Registry } from "@gong/llm"
import type { ScriptedTurn } from "@gong/llm/scripted"
import type { SessionController } from "@gong/app/controller/api"
import { folder } from "@gong/testing/folder"
import { createStyle } from "@gong/texts/style"
import { english } from "@gong/texts/translator"
import type { Cli } from "../../src/cli.ts"
import type { ShutdownCause } from "../../src/command-line/exit.ts"
import { invocation } from "../../src/commands/demo/invocation.ts"
import { demoRows } from "../../src/commands/demo/rows.ts"
import { sampleFor } from "../../src/commands/demo/sample.ts"
import { demoPrompt, demoScript } from "../../src/commands/demo/script.ts"
import { keysJson, keysText } from "../../src/commands/models/keys.ts"
import { listModels, modelsJson, modelsText } from "../../src/commands/models/list.ts"
import { abortOnShutdown, exitStatusIn } from "../../src/commands/process-exit.ts"
import { sessionSummary } from "../../src/commands/session-summary.ts"

const style = createStyle({ terminal: false, env: {} })

/** The rows of these events. */
function demo(...events: readonly object[]): string {
  const rows = demoRows(english, style)
  return events.map((event) => rows(event as Event)).join("")
}

const ended = (name: string, text: string, more: object = {}) => ({
  type: "tool_execution_end",
  toolCallId: "c",
  name,
  status: "ok",
  content: [{ type: "text", text }],
  details: null,
  durationMs: 1_500,
  ...more,
})
const message = (text: string, stopReason: string, role = "assistant") => ({
  type: "message_end",
  message: { role, stopReason, content: [{ type: "text", text }] },
})

test("the demo shows replies, with a blank line before their calls, and no messages of the user", () => {
  assert.equal(demo(message("I look.", "tool_calls")), "\nI look.\n\n")
  assert.equal(demo(message("Done.", "end")), "\nDone.\n")
  assert.equal(demo(message("", "tool_calls"), message("x", "end", "user"), { type: "turn_start" }), "")
})

test("a call of the demo is a row of its name, title and result; a command counts its tests", () => {
  const start = { type: "tool_execution_start", toolCallId: "c", name: "bash", title: "node --test" }
  const row = (text: string, more: object = {}) =>
    demo(start, ended("bash", text, { details: { exit_code: 0 }, ...more }))
  const head = `  bash    node --test${" ".repeat(34)}`
  assert.ok(row("pass 4\nfail 0").startsWith(`${head}4 passing, `))
  assert.match(row("pass 4\nfail 0"), /1\.5 s\n$/)
  assert.ok(row("pass 3\nfail 1").startsWith(`${head}1 failing, `))
  assert.equal(row("hello").includes("passing"), false)
  assert.ok(demo(ended("bash", "x")).startsWith(`  bash    ${" ".repeat(45)}`))
  const read = demo({ ...start, name: "read", title: "a.js" }, ended("read", "one"))
  assert.ok(read.startsWith(`  read    a.js${" ".repeat(41)}`))
  assert.equal(read.includes("1.5 s"), false)
})

test("the changed lines of an edit are below its row", () => {
  const shown = demo(ended("edit", "", { details: { diff: "  1 same\n- 2 old\n+ 2 new\n 3+x" } })).split("\n")
  assert.deepEqual(shown.slice(1), ["    - 2 old", "    + 2 new", ""])
  assert.equal(demo(ended("edit", "", { details: { diff: 7 } })).split("\n").length, 2)
})

/** The request behind the results of these tools. */
function requestAfter(...results: readonly (readonly [tool: string, text: string])[]): ModelRequest {
  const messages = results.map(([toolName, text]) => ({ role: "tool", toolName, content: [{ type: "text", text }] }))
  return { messages } as unknown as ModelRequest
}

function turnAt(index: number, request = requestAfter()): ScriptedTurn {
  const step = demoScript(english)[index]
  assert.ok(step)
  return typeof step === "function" ? step(request, index) : step
}

test("the scripted model looks, reads, and runs the tests before and after its change", () => {
  assert.equal(demoPrompt(english), "The test for applyDiscount fails. Find out why and fix it.")
  const calls = [0, 1, 2, 3, 5].map((at) => turnAt(at).calls?.map(({ name, arguments: args }) => [name, args]))
  assert.deepEqual(calls, [
    [["ls", { path: "." }]],
    [["grep", { pattern: "applyDiscount" }]],
    [["read", { path: "src/cart.js" }]],
    [["bash", { command: "node --test" }]],
    [["bash", { command: "node --test" }]],
  ])
  assert.deepEqual(
    [turnAt(0).text, turnAt(3).text],
    ["I'll look at the project first.", "Now the tests, to see how it fails."],
  )
})

test("the scripted model finds each of the bugs in what it has read, and repairs the line", () => {
  const reasons = [0, 1, 2, 3].map((seed) => {
    const code = sampleFor(seed).files["src/cart.js"] ?? ""
    const { text, calls } = turnAt(4, requestAfter(["read", "old"], ["read", code]))
    const [call] = calls ?? []
    const [edit] = (call?.arguments?.["edits"] ?? []) as { oldText: string; newText: string }[]
    assert.ok(edit)
    assert.equal(call?.arguments?.["path"], "src/cart.js")
    assert.ok(code.includes(edit.oldText))
    assert.equal(edit.newText, "  return price - (price * percent) / 100")
    return text?.split(": ").at(-1)
  })
  assert.deepEqual(reasons, [
    "it subtracts the percentage itself.",
    "it gives the discount, not the price after it.",
    "it takes percent for a fraction.",
    "it adds the discount instead of taking it off.",
  ])
  for (const text of ["", "function other() {\n  return 1\n}"]) {
    const none = turnAt(4, requestAfter(["read", text]))
    assert.deepEqual(
      [none.calls, none.text],
      [undefined, "I could not find the line that computes the discount, so I changed nothing."],
    )
  }
})

test("the scripted model reports what the tests say, and nothing better", () => {
  const end = (text: string) => turnAt(6, requestAfter(["bash", "fail 1"], ["bash", text])).text
  assert.match(end("pass 4\nfail 0") ?? "", /all 4 tests pass\.$/)
  for (const text of ["pass 3\nfail 1", "fail 0", "pass 4", ""])
    assert.equal(end(text), "The tests still fail after the change.", text)
})

test("samples differ in their bug and in the place of the function", () => {
  const codes = Array.from({ length: 13 }, (_, seed) => sampleFor(seed).files["src/cart.js"] ?? "")
  assert.equal(new Set(codes.slice(0, 12)).size, 12)
  assert.equal(codes[12], codes[0])
  const order = (code: string) => [...code.matchAll(/function (\w+)/g)].map(([, name]) => name)
  assert.deepEqual(
    [0, 4, 8].map((seed) => order(codes[seed] ?? "").indexOf("applyDiscount")),
    [0, 1, 2],
  )
  assert.deepEqual(Object.keys(sampleFor(0).files), ["package.json", "src/cart.js", "test/cart.test.js"])
})

test("the command that starts the program is its name, npx, or its file", (t) => {
  const root = folder(t)
  for (const path of ["bin", "node_modules/.bin", "empty", "node-gyp-bin"])
    mkdirSync(join(root, path), { recursive: true })
  for (const path of ["bin/gong", "node_modules/.bin/gong", "node-gyp-bin/gong"]) writeFileSync(join(root, path), "")
  const named = (path: string, more: Readonly<Record<string, string>> = {}, cwd = join(root, "empty")) =>
    invocation({ env: { PATH: path, ...more }, cwd } as unknown as Cli)
  assert.equal(named(`${root}/empty:${root}/bin`), "gong")
  for (const path of ["", `${root}/node_modules/.bin`, `${root}/node-gyp-bin`])
    assert.match(named(path), /^node \/.*\/bin\/gong\.js$/, path)
  assert.equal(named("", {}, root), "npx gong")
  assert.equal(named("", { INIT_CWD: root }), "npx gong")
  assert.match(named("", { INIT_CWD: join(root, "empty") }, root), /^node /)
})

test("the first shutdown request aborts the run, the second one exits with its status", () => {
  const log: unknown[] = []
  let request: (cause: ShutdownCause) => void = () => undefined
  const controller = {
    current: { close: () => void log.push("close"), session: { abort: () => void log.push("abort") } },
  }
  abortOnShutdown(
    { onShutdown: (callback) => void (request = callback), quit: (status) => void log.push(status) as never },
    controller as unknown as SessionController,
    () => void log.push("aborted"),
  )
  request("interrupt")
  assert.deepEqual(log.splice(0), ["abort", "aborted"])
  request("terminated")
  assert.deepEqual(log.slice(0, 2), ["close", 143])
  const statusOf = (shutdown: ShutdownCause | null) => exitStatusIn({ shutdown })({ status: "interrupted", turns: 1 })
  assert.deepEqual([statusOf(null), statusOf("hangup")], [130, 129])
})

test("the line about a session names the model, its key, the level and the sandbox", () => {
  const line = (info: object = {}, chosen: object = {}) =>
    sessionSummary(english, {
      chosen: { credential: null, others: 0, ...chosen },
      info: {
        id: "01890a5d-ac96-774b-bcce-b302099a8057",
        model: "p/m",
        permission: "ask",
        resumed: false,
        sandbox: { mode: "off", enforced: [] },
        ...info,
      },
    } as unknown as Parameters<typeof sessionSummary>[1])
  assert.equal(line(), "p/m · ask · sandbox: off")
  assert.equal(line({ resumed: true }), "p/m · ask · sandbox: off · session 099a8057")
  assert.equal(
    line({}, { credential: { from: "A_KEY" }, others: 1 }),
    "p/m from A_KEY (1 other provider has a key; -m or gong models) · ask · sandbox: off",
  )
  assert.match(line({}, { others: 2 }), /^p\/m \(2 other providers have keys; -m or gong models\) /)
  const sandbox = (mode: string, enforced: readonly string[], more: object = {}) =>
    line({ sandbox: { mode, enforced, ...more } }).slice("p/m · ask · ".length)
  assert.equal(sandbox("off", [], { reason: "no bwrap" }), "sandbox: off (no bwrap; gong doctor explains)")
  assert.equal(sandbox("workspace", ["files", "network"]), "sandbox: files, no network")
  assert.equal(sandbox("read-only", ["hosts"]), "sandbox: read-only, network by host")
  assert.equal(sandbox("workspace", []), "sandbox: files, network open")
})

const facts = (more: object = {}) => ({
  contextWindow: 200_000,
  maxOutput: 8_000,
  reasoning: false,
  images: true,
  price: null,
  ...more,
})
const row = (id: string, keys: readonly string[], more: object = {}) => ({
  id,
  name: `Name ${id}`,
  api: "x",
  baseUrl: `https://${id}.example`,
  keys,
  ...more,
})
const registry = {
  providers: [
    row("one", ["ONE_KEY", "OTHER"], { defaultModel: "b" }),
    row("two", [], { defaultModel: "c", currency: "CNY" }),
  ],
  modelsOf: async (id: string) =>
    id === "one" ? { a: facts(), b: facts({ reasoning: true, images: false }) } : { c: facts(), d: facts() },
} as unknown as Registry

test("models are those of providers with a key, or the defaults, or those that match a search", async () => {
  const names = async (sources: ReadonlyMap<string, string>, search: string | null) =>
    (await listModels(registry, sources, search)).map(({ provider, id, key }) => `${provider.id}/${id} ${key ?? "-"}`)
  const keyed = new Map([["one", "ONE_KEY"]])
  assert.deepEqual(await names(keyed, null), ["one/b ONE_KEY", "one/a ONE_KEY"])
  assert.deepEqual(await names(new Map(), null), ["one/b -", "two/c -"])
  assert.deepEqual(await names(keyed, "TWO/"), ["two/c -", "two/d -"])
  assert.deepEqual(await names(keyed, "a"), ["one/a ONE_KEY"])
})

test("the list of models says what it shows, and has all facts for programs", async () => {
  const keyed = new Map([["one", "ONE_KEY"]])
  const listed = await listModels(registry, keyed, null)
  const lines = modelsText(english, listed, null, true).split("\n")
  assert.match(lines[1] ?? "", /^\* {2}one\/b \(default\) /)
  assert.match(lines[0] ?? "", /^ +model +context +reply +thinking +images +per million tokens/)
  assert.deepEqual(lines.slice(3), [
    "",
    "* has a key. gong models SEARCH searches all of them; gong models --keys lists the key variables.",
    "",
  ])
  const none = await listModels(registry, new Map(), null)
  assert.match(modelsText(english, none, null, false), /\n {2}one\/b \(default\)[^]*\nNo provider has a key yet; /)
  assert.match(modelsText(english, listed, "one", true), /\n\n\* has a key\n$/)
  assert.equal(
    modelsText(english, [], "x", true),
    'No model has "x" in its name. gong models lists them; --base-url URL uses any other endpoint.\n',
  )
  assert.deepEqual(modelsJson(listed)[0], {
    provider: "one",
    id: "b",
    ...facts({ reasoning: true, images: false }),
    key: "ONE_KEY",
    default: true,
  })
})

test("keys are listed by provider with their variables and sources", () => {
  const sources = new Map([["one", "ONE_KEY"]])
  assert.deepEqual(
    keysText(english, registry, sources)
      .split("\n")
      .map((line) => line.replaceAll(/ {3,}/g, "  ")),
    [
      "*  one  ONE_KEY, OTHER  Name one  https://one.example  (key from ONE_KEY)",
      "  two  no key needed  Name two  https://two.example",
      "* has a key",
      "",
    ],
  )
  const [one, two] = keysJson(registry, sources)
  assert.deepEqual(one, { ...row("one", ["ONE_KEY", "OTHER"]), key: "ONE_KEY", defaultModel: "b", currency: "USD" })
  assert.deepEqual(two, { ...row("two", []), key: null, defaultModel: "c", currency: "CNY" })
})
