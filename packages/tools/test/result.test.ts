import assert from "node:assert/strict"
import { test } from "node:test"
import {
  createBashTool,
  createEditTool,
  createFindTool,
  createGrepTool,
  createLsTool,
  createReadTool,
  createWriteTool,
  failed,
  fromText,
  toolResult,
} from "../src/index.ts"
import { context, place, messages } from "./workspace.ts"

test("[TOOLRES-001] plain text makes a result without details", () => {
  assert.deepEqual(fromText("hi"), { content: [{ type: "text", text: "hi" }], details: null, isError: false })
})

test("[TOOLRES-002] content and details are independent", () => {
  const details = { path: "a" }
  const result = toolResult("text", details)
  assert.equal(messages(result), "text")
  assert.equal(result.details, details)
})

test("[TOOLRES-005] an error has isError set and contains its text", () => {
  const result = failed("no such thing")
  assert.equal(result.isError, true)
  assert.equal(messages(result), "no such thing")
})

test("[TOOLRES-S.9] content is a list of text and image blocks", () => {
  const image = { type: "image", mimeType: "image/png", data: "AA==" } as const
  assert.deepEqual(toolResult([{ type: "text", text: "a" }, image], null).content, [{ type: "text", text: "a" }, image])
})

test("[TOOLRES-003] [TOOLRES-S.1] edit: short content; path, texts, rows and diff in details", async (t) => {
  const here = place(t)
  here.put("a.txt", "one\ntwo\nthree\n")
  const one = await createEditTool(here.cwd).execute(
    "c",
    { path: "a.txt", edits: [{ oldText: "two", newText: "zwei" }] },
    context(),
  )
  assert.ok(messages(one).length < 100)
  const { seen: _seen, ...details } = one.details ?? {}
  assert.deepEqual(details, {
    path: here.at("a.txt"),
    old_text: "two",
    new_text: "zwei",
    diff_lines: 2,
    diff: "  1 one\n- 2 two\n+ 2 zwei\n  3 three",
    firstChangedLine: 2,
    usedFuzzy: false,
    encoding: "utf-8",
  })
  const edits = [
    { oldText: "three", newText: "drei" },
    { oldText: "one", newText: "eins" },
  ]
  const several = await createEditTool(here.cwd).execute("c", { path: "a.txt", edits }, context())
  assert.deepEqual(several.details?.old_text, ["three", "one"])
  assert.deepEqual(several.details?.new_text, ["drei", "eins"])
})

test("[TOOLRES-004] [TOOLRES-S.4] bash: content is the output; command, exit code, time and truncation in details", async (t) => {
  const here = place(t)
  const result = await createBashTool(here.cwd).execute("c", { command: "echo hi" }, context())
  assert.equal(messages(result), "hi\n")
  const { started_at, duration_ms, ...details } = result.details ?? { started_at: -1, duration_ms: -1 }
  assert.deepEqual(details, { command: "echo hi", exit_code: 0, truncated: false })
  assert.ok(started_at > 0 && duration_ms >= 0)
})

test("[TOOLRES-S.2] write: path, bytes, whether it was created", async (t) => {
  const here = place(t)
  const write = createWriteTool(here.cwd)
  const first = await write.execute("c", { path: "a.txt", content: "é\n" }, context())
  const { seen, ...details } = first.details ?? {}
  assert.deepEqual(details, { path: here.at("a.txt"), byte_size: 3, created: true })
  assert.equal(seen?.path, here.at("a.txt"))
  const second = await write.execute("c", { path: "a.txt", content: "" }, context())
  assert.equal(second.details?.created, false)
})

test("[TOOLRES-S.3] read: path, lines, truncation, encoding", async (t) => {
  const here = place(t)
  here.put("a.txt", "a\nb\n")
  const result = await createReadTool(here.cwd).execute("c", { path: "a.txt" }, context())
  const { seen, ...details } = result.details ?? {}
  assert.deepEqual(details, { path: here.at("a.txt"), line_count: 2, truncated: false, encoding: "utf-8" })
  assert.equal(seen?.sha256?.length, 64)
})

test("[TOOLRES-S.5] grep: pattern, files, matches", async (t) => {
  const here = place(t)
  here.put("a.txt", "x\nx\n")
  here.put("b.txt", "x\n")
  const result = await createGrepTool(here.cwd).execute("c", { pattern: "x" }, context())
  const { seen, ...details } = result.details ?? {}
  assert.deepEqual(details, { pattern: "x", file_count: 2, match_count: 3, truncated: false })
  assert.deepEqual(seen?.map(({ path }) => path).sort(), [here.at("a.txt"), here.at("b.txt")])
})

test("[TOOLRES-S.6] find: pattern, results, truncation", async (t) => {
  const here = place(t)
  here.put("a.txt", "")
  const result = await createFindTool(here.cwd).execute("c", { pattern: "*.txt" }, context())
  assert.deepEqual(result.details, { pattern: "*.txt", result_count: 1, truncated: false, total: 1 })
})

test("[TOOLRES-S.7] ls: path, entries, total size", async (t) => {
  const here = place(t)
  here.put("a.txt", "12345")
  here.put("d/b.txt", "1")
  const result = await createLsTool(here.cwd).execute("c", {}, context())
  assert.equal(result.details?.path, here.cwd)
  assert.equal(result.details?.entry_count, 2)
  assert.equal(result.details?.total_size, 5)
})
