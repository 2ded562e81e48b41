import assert from "node:assert/strict"
import { test } from "node:test"
import { createActiveTools } from "../../src/active.ts"
import { childEnvironment } from "../../src/env.ts"
import { agoText } from "../../src/files/ago.ts"
import { filePreview } from "../../src/files/preview.ts"
import { changesSummary } from "../../src/files/summary.ts"
import { summary as grepSummary } from "../../src/grep/summary.ts"
import { explain, Refusal, runPreview, runTool, toolResult } from "../../src/result.ts"
import { renamed, shownPath, titleOf, withNotifications } from "../../src/tool.ts"

test("elapsed time in its largest whole unit", () => {
  const second = 1_000
  for (const [ms, text] of [
    [-5, "0 s ago"],
    [999, "0 s ago"],
    [59 * second, "59 s ago"],
    [60 * second, "1 min ago"],
    [3_599 * second, "59 min ago"],
    [3_600 * second, "1 hour ago"],
    [7_200 * second, "2 hours ago"],
    [86_399 * second, "23 hours ago"],
    [86_400 * second, "1 day ago"],
    [172_800 * second, "2 days ago"],
  ] as const)
    assert.equal(agoText(ms), text)
})

test("a title is the first line, up to 120 characters", () => {
  for (const [value, title] of [
    [" a ", "a"],
    ["a\nb", "a ..."],
    ["x".repeat(120), "x".repeat(120)],
    ["x".repeat(121), `${"x".repeat(117)}...`],
    ["", ""],
    [1, ""],
  ] as const)
    assert.equal(titleOf(value), title)
})

test("arguments get their advertised names; one that has it already wins", () => {
  const names = { file: "path", toString: "text" }
  assert.deepEqual(renamed({ file: "a", other: 1 }, names), { path: "a", other: 1 })
  assert.deepEqual(renamed({ file: "a", path: "b" }, names), { path: "b" })
  assert.deepEqual(renamed({ valueOf: 1 }, names), { valueOf: 1 })
})

test("control characters of paths are escaped, and notifications follow in brackets", () => {
  assert.equal(shownPath("a\n\r\t\u0001\u007f\u0085\u00e9"), "a\\n\\r\\t\\x01\\x7f\\x85\u00e9")
  assert.deepEqual([withNotifications("a", []), withNotifications("a", ["b", "c"])], ["a", "a\n\n[b. c]"])
})

test("a preview has 200 rows, and the number of the others", () => {
  const rows = (count: number) => Array.from({ length: count }, (_, at) => `${at}`)
  const preview = (count: number) =>
    filePreview({ kind: "create", path: "/a", rows: rows(count), added: 1, removed: 2, bytes: 3 })
  assert.deepEqual([preview(200).rows.length, preview(200).more], [200, 0])
  assert.deepEqual([preview(203).rows.length, preview(203).rows.at(-1), preview(203).more], [200, "199", 3])
})

test("summaries of changes and of matches", () => {
  const files = [
    { path: "a", change: "modified", added: 1, removed: 2 },
    { path: "b", change: "created", added: 3, removed: 0 },
  ] as const
  assert.equal(changesSummary({ files } as never).text, "+1 -2 +3 -0")
  assert.equal(changesSummary({} as never).text, "")
  const matches = (match_count: number, file_count: number) =>
    grepSummary({ details: { match_count, file_count } } as never).text
  assert.deepEqual(
    [matches(1, 1), matches(2, 1), matches(3, 2), matches(0, 0)],
    ["1 match in 1 file", "2 matches in 1 file", "3 matches in 2 files", "0 matches in 0 files"],
  )
})

test("a tool ends with its result, a refusal, an abort or an explained error of the system", async () => {
  const run = (work: () => never, signal = new AbortController().signal) => runTool(signal, "a.txt", async () => work())
  const throwing = (error: Error) => () => {
    throw error
  }
  const coded = (code: string) => Object.assign(new Error("why"), { code })
  const textOf = async (result: Promise<{ readonly content: readonly unknown[]; readonly status?: unknown }>) => {
    const { content, status } = await result
    return [(content[0] as { readonly text: string }).text, status]
  }
  assert.deepEqual(await textOf(run(throwing(new Refusal("no", "refused")))), ["no", "refused"])
  assert.deepEqual(await textOf(run(throwing(coded("ENOENT")), AbortSignal.abort())), ["Operation aborted", "aborted"])
  const stop = new AbortController()
  const late = run(() => {
    stop.abort()
    throw new Error("x")
  }, stop.signal)
  assert.deepEqual(await textOf(late), ["Operation aborted", "aborted"])
  assert.deepEqual(await textOf(run(throwing(coded("EBUSY")))), [
    "EBUSY: a.txt: the file is in use. Try again later.",
    undefined,
  ])
  await assert.rejects(run(throwing(new Error("a fault of ours"))), /a fault of ours/)
  assert.deepEqual([explain(coded("EXDEV"), "p"), explain("text", "p")], ["EXDEV: p: why", null])
  assert.deepEqual(toolResult("t", { a: 1 }), {
    content: [{ type: "text", text: "t" }],
    details: { a: 1 },
    isError: false,
  })
})

test("a preview has the outcome of a call that would fail", async () => {
  const failing = (error: Error) => runPreview("a.txt", () => Promise.reject(error))
  assert.deepEqual(await failing(new Refusal("no")), { ok: false, message: "no" })
  const coded = Object.assign(new Error("x"), { code: "EROFS" })
  assert.deepEqual(await failing(coded), {
    ok: false,
    message: "EROFS: a.txt: the file system is read-only. Choose another path.",
  })
  await assert.rejects(failing(new Error("a fault of ours")), /a fault of ours/)
  assert.deepEqual(await runPreview("a", async () => null), { ok: true, preview: null })
})

test("a child sees the environment without keys, by name, value or looks, and the marks", () => {
  const parent = {
    PATH: "/bin",
    MODEL_KEY: "k",
    COPY: "value of a key",
    MY_TOKEN: "t",
    TOKENS: "x",
    OLD_PWD: "p",
    PWD: "/",
    DB: "postgres://u:p@host/",
    URL: "https://host/a@b",
    NONE: undefined,
  }
  const keys = { keyNames: ["MODEL_KEY"], keyValues: ["value of a key", ""] }
  assert.deepEqual(childEnvironment(parent, keys).withheld, ["MODEL_KEY", "COPY"])
  const strict = childEnvironment(parent, {
    ...keys,
    secrets: false,
    allow: ["MY_TOKEN"],
    deny: ["PATH"],
    session: "s",
  })
  assert.deepEqual(strict.withheld, ["PATH", "MODEL_KEY", "COPY", "OLD_PWD", "DB"])
  assert.deepEqual(strict.env, {
    MY_TOKEN: "t",
    TOKENS: "x",
    PWD: "/",
    URL: "https://host/a@b",
    GONG: "1",
    AI_AGENT: "gong",
    GIT_TERMINAL_PROMPT: "0",
    PAGER: "cat",
    GIT_EDITOR: "true",
    GIT_OPTIONAL_LOCKS: "0",
    CDPATH: "",
    GONG_SESSION: "s",
  })
  assert.deepEqual(childEnvironment({ A: "" }, { keyNames: ["A"], allow: ["A"], deny: ["A"] }).withheld, ["A"])
})

test("active tools change all at once or not at all", () => {
  const tools = createActiveTools(["a", "b"])
  assert.deepEqual(tools.setActiveTools(["b", "x", "y"]), {
    ok: false,
    message: "Unknown tool: x, y. There are: a, b",
  })
  assert.deepEqual(tools.setActiveTools([]), {
    ok: false,
    message: "No tools were named. To send none at all use --no-tools.",
  })
  assert.deepEqual(tools.activeTools(), ["a", "b"])
  assert.deepEqual([tools.setActiveTools(["b", "b"]), tools.activeTools()], [{ ok: true, names: ["b"] }, ["b"]])
  assert.deepEqual(tools.validate(["a"]), { ok: true, names: ["a"] })
  assert.deepEqual(tools.activeTools(), ["b"])
  assert.deepEqual(tools.preset("toString"), {
    ok: false,
    message: "Unknown preset: toString. There are: default, minimal, readonly",
  })
  assert.deepEqual(tools.preset("minimal"), { ok: true, names: ["read", "write", "edit", "bash"] })
})
