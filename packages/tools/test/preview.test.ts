import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import type { CallPreview, FilesSeen, Tool } from "@gong/spec"
import { createBashTool, createEditTool, createFetchTool, createWriteTool } from "../src/index.ts"
import { createLocalHost } from "../src/host/local.ts"
import { context, messages, place } from "./workspace.ts"

type Rows = Extract<CallPreview, { rows: readonly string[] }>

/** The preview of a call, or the text with which the call would fail. */
async function previewOf(
  tool: Pick<Tool, "preview">,
  args: object,
  seen?: FilesSeen,
): Promise<CallPreview | string | null> {
  const outcome = await tool.preview?.(args as never, seen === undefined ? {} : { seen })
  assert.ok(outcome !== undefined)
  return outcome.ok ? outcome.preview : outcome.message
}

async function ofWrite(t: TestContext, before: string | Uint8Array | null, content: string): Promise<Rows> {
  const here = place(t)
  if (before !== null) here.put("a.txt", before)
  const preview = await previewOf(createWriteTool(here.cwd), { path: "a.txt", content })
  assert.ok(preview !== null && typeof preview === "object" && "rows" in preview)
  assert.equal(preview.path, `${here.cwd}/a.txt`)
  assert.equal(preview.bytes, Buffer.byteLength(content))
  return preview
}

test("the preview of an edit is the diff that the call makes, in the encoding of the file; the file stays as it is", async (t) => {
  for (const [before, oldText, newText] of [
    ["one\ntwo\nthree\n", "two", "zwei"],
    ["one\r\ntwo\r\n", "one\ntwo", "1"],
    [Buffer.from("\ufeffone\ntwo\n", "utf16le"), "two", "zwei"],
  ] as const) {
    const here = place(t)
    here.put("a.txt", before)
    const args = { path: "a.txt", edits: [{ oldText, newText }] }
    const tool = createEditTool(here.cwd)
    const preview = await previewOf(tool, args)
    assert.deepEqual(here.bytes("a.txt"), Buffer.from(before))
    const { details } = await tool.execute("c", args, context())
    assert.ok(preview !== null && typeof preview === "object" && "rows" in preview && details)
    assert.deepEqual(preview.rows, details.diff.split("\n"))
    assert.deepEqual([preview.kind, preview.added + preview.removed, preview.more], ["change", details.diff_lines, 0])
  }
})

test("the outcome of a call that would fail is the text of its failure", async (t) => {
  const here = place(t)
  here.put("a.txt", "one\n")
  here.put("b.bin", Buffer.from([0, 1, 2, 3]))
  const tool = createEditTool(here.cwd)
  for (const path of ["a.txt", "b.bin", "no.txt", "."]) {
    const args = { path, edits: [{ oldText: "two", newText: "" }] }
    assert.equal(await previewOf(tool, args), messages(await tool.execute("c", args, context())), path)
  }
  const write = createWriteTool(here.cwd)
  const args = { path: ".", content: "x" }
  assert.equal(await previewOf(write, args), messages(await write.execute("c", args, context())))
})

test("a write that the guard refuses is refused by its preview; the same write again is asked about, and then executed", async (t) => {
  const here = place(t)
  here.put("a.txt", "mine\n")
  const seen: FilesSeen = { files: new Map(), commands: [] }
  const tool = createWriteTool(here.cwd)
  const args = { path: "a.txt", content: "x\n" }
  assert.match(JSON.stringify(await previewOf(tool, args, seen)), /^"Not written: a\.txt exists/)
  for (let time = 0; time < 2; time++) {
    const again = await previewOf(tool, args, seen)
    assert.ok(again !== null && typeof again === "object")
  }
  assert.equal((await tool.execute("c", args, { ...context(), seen })).isError, false)
  assert.equal(here.text("a.txt"), "x\n")
})

test("a write over a file shows each changed part with its lines, a new file its first lines", async (t) => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`)
  const changed = lines.with(4, "five").with(30, "thirty-one")
  const over = await ofWrite(t, `${lines.join("\n")}\n`, `${changed.join("\n")}\n`)
  assert.deepEqual([over.kind, over.added, over.removed], ["overwrite", 2, 2])
  assert.deepEqual(
    over.rows.filter((row) => /^[-+]/.test(row)),
    ["-  5 line 5", "+  5 five", "- 31 line 31", "+ 31 thirty-one"],
  )
  assert.deepEqual(over.rows.slice(0, 2), ["   1 line 1", "   2 line 2"])
  assert.ok(over.rows.some((row) => row.trim() === "..."))
  const created = await ofWrite(t, null, "a\nb\n")
  assert.deepEqual([created.kind, created.added, created.removed, created.rows], ["create", 2, 0, ["+ 1 a", "+ 2 b"]])
  assert.deepEqual((await ofWrite(t, null, "")).rows, [])
})

test("what is added, removed and changed at the ends of a file is counted", async (t) => {
  for (const [before, after, rows] of [
    ["a\nb\n", "a\nb\nc\n", ["+ 3 c"]],
    ["a\nb", "a\nb\nc", ["+ 3 c"]],
    ["a\nb\nc\n", "b\nc\n", ["- 1 a"]],
    ["a\nb\nc\n", "a\nb\n", ["- 3 c"]],
    ["a\n", "x\ny\n", ["- 1 a", "+ 1 x", "+ 2 y"]],
    ["a\r\nb\r\n", "a\r\nc\r\n", ["- 2 b", "+ 2 c"]],
    ["a\n", "a\n", []],
  ] as const) {
    const shown = (await ofWrite(t, before, after)).rows.filter((row) => /^[-+]/.test(row))
    assert.deepEqual(shown, rows, JSON.stringify([before, after]))
  }
})

test("a long preview is cut with the number of further rows; thousands of equal lines are compared as one block", async (t) => {
  const long = await ofWrite(t, null, "x\n".repeat(1000))
  assert.deepEqual([long.rows.length, long.more, long.added], [200, 800, 1000])
  const equal = await ofWrite(t, `a\n${"x\n".repeat(3000)}b\n`, `c\n${"x\n".repeat(3001)}d\n`)
  assert.deepEqual([equal.rows.length, equal.rows[0]], [200, "-    1 a"])
})

test("a write over a binary file shows the new lines alone", async (t) => {
  const over = await ofWrite(t, Buffer.from([0, 1, 2]), "text\n")
  assert.deepEqual([over.kind, over.rows], ["overwrite", ["+ 1 text"]])
})

test("the preview of a command is all of it with its folder, of a fetch its address; a job has none", async (t) => {
  const here = place(t)
  const command = `echo ${"x".repeat(500)}\necho y`
  const tool = createBashTool(here.cwd)
  assert.deepEqual(await previewOf(tool, { command }), { kind: "run", command, cwd: here.cwd })
  assert.equal(await previewOf(tool, { job: 1 }), null)
  const fetch = createFetchTool({} as never)
  assert.deepEqual(await previewOf(fetch, { url: "https://a.example/x" }), {
    kind: "fetch",
    url: "https://a.example/x",
  })
})

test("what the sandbox denied to a command is in the preview of the same command", async (t) => {
  const here = place(t)
  const local = createLocalHost({ cwd: here.cwd })
  const host = { ...local, exec: async () => ({ code: 1, signal: null, note: "[n]", blocked: "write to /etc/x" }) }
  const tool = createBashTool(here.cwd, { host })
  await tool.execute("c", { command: "touch /etc/x" }, context())
  const blocked = async (command: string) => {
    const preview = await previewOf(tool, { command, unsandboxed: true })
    return preview !== null && typeof preview === "object" && "blocked" in preview ? preview.blocked : null
  }
  assert.deepEqual([await blocked("touch /etc/x"), await blocked("touch /etc/y")], ["write to /etc/x", null])
})
