import assert from "node:assert/strict"
import { rmSync, statSync } from "node:fs"
import { test } from "node:test"
import type { FilesSeen, SeenFile } from "@gong/spec"
import { agoText } from "../../src/files/ago.ts"
import { createBashTool, createEditTool, createGrepTool, createReadTool, createWriteTool } from "../../src/index.ts"
import { context, lines, place, messages, seenNow, type TestPlace } from "../workspace.ts"

const nothing: FilesSeen = { files: new Map(), commands: [] }
const day = 86_400

function writer(here: TestPlace, now = Date.now()) {
  const clock = { now: () => now, sleep: async () => {}, timer: () => () => {} }
  const tool = createWriteTool(here.cwd, { clock })
  return async (seen: FilesSeen, content = "new\n", path = "src/a.ts") =>
    messages(await tool.execute("c", { path, content }, context({ seen })))
}

test("[SAFE-22] a file that the session has not read is not replaced; the same write passes the second time", async (t) => {
  const here = place(t)
  here.put("src/a.ts", lines(214))
  here.age("src/a.ts", 100 * day)
  const write = writer(here, 103 * day * 1000 + 5)
  const refusal =
    "Not written: src/a.ts exists (214 lines, changed 3 days ago) and this session has not looked at it. Read it, or send the same write again to replace it. Nothing was changed."
  assert.equal(await write(nothing), refusal)
  assert.equal(await write(nothing, "another\n"), refusal, "another text is another write")
  assert.equal(here.text("src/a.ts"), lines(214))
  assert.match(await write(nothing), /^Successfully wrote 4 bytes/)
  assert.equal(here.text("src/a.ts"), "new\n")
})

test("the same write is refused again if the file changed in between", async (t) => {
  const here = place(t)
  here.put("src/a.ts", "one\n")
  const write = writer(here)
  assert.match(await write(nothing), /\(1 line, changed/)
  here.put("src/a.ts", "two\n")
  assert.match(await write(nothing), /^Not written/)
  assert.match(await write(nothing), /^Successfully/)
})

test("a binary file is reported with its size; empty and missing files are not guarded, nor any without a session", async (t) => {
  const here = place(t)
  here.put("src/a.ts", Buffer.from([0, 1, 2]))
  here.put("src/empty", "")
  const write = writer(here)
  assert.match(await write(nothing), /\(binary, 3B, changed/)
  assert.match(await write(nothing, "x", "src/empty"), /^Successfully/)
  assert.match(await write(nothing, "x", "src/new"), /^Successfully/)
  const library = await createWriteTool(here.cwd).execute("c", { path: "src/a.ts", content: "x" }, context())
  assert.match(messages(library), /^Successfully/)
})

test("[SAFE-22] a file changed by others since it was read is never replaced", async (t) => {
  const here = place(t)
  const path = here.put("src/a.ts", "one\n")
  const seen = seenNow(path)
  here.put("src/a.ts", "theirs\n")
  const write = writer(here, statSync(path).ctimeMs + 12_400)
  for (let at = 0; at < 2; at++)
    assert.equal(
      await write(seen),
      "Not written: src/a.ts changed on disk 12 s ago, after it was read. Read it again; your version was not applied.",
    )
  assert.equal(here.text("src/a.ts"), "theirs\n")
  assert.match(await write(seenNow(path)), /^Successfully/)
})

test("a known hash decides whether a file changed, regardless of time and size", async (t) => {
  const here = place(t)
  const path = here.put("src/a.ts", "one\n")
  const read = await createReadTool(here.cwd).execute("c", { path: "src/a.ts" }, context())
  const file = read.details?.seen
  assert.ok(file?.sha256)
  const seen: FilesSeen = { files: new Map([[path, file]]), commands: [] }
  here.age("src/a.ts", 5)
  assert.match(await writer(here)(seen, "one\n"), /^Successfully/)
  here.put("src/a.ts", "two\n")
  assert.match(await writer(here)(seen), /changed on disk/)
})

test("files changed or created by a command of the session count as read, for write and for edit", async (t) => {
  const here = place(t)
  const path = here.put("src/a.ts", "one\n")
  const { files } = seenNow(path)
  here.put("src/a.ts", "one formatted\n")
  const made = here.put("src/made.ts", "one\n")
  const at = Math.floor(statSync(path).ctimeMs)
  const during: FilesSeen = { files, commands: [{ from: at - 5, to: at + 60_000 }] }
  const before: FilesSeen = { files, commands: [{ from: at - 90_000, to: at - 60_000 }] }
  const edit = async (seen: FilesSeen, text: string) => {
    const args = { path: "src/a.ts", edits: [{ oldText: text, newText: "two" }] }
    return messages(await createEditTool(here.cwd).execute("c", args, context({ seen })))
  }
  assert.match(await edit(before, "one"), /^src\/a\.ts changed on disk since it was read; read it again/)
  assert.match(await writer(here)(before, "x", "src/made.ts"), /has not looked at it/)
  assert.equal(statSync(made).size, 4)
  assert.match(await writer(here)(during, "x", "src/made.ts"), /^Successfully/)
  assert.match(await edit(during, "one"), /^Successfully/)
})

test("a command result says when it ran, and which displayed files exist", async (t) => {
  const here = place(t)
  const path = here.put("a.ts", "one\n")
  const shownFiles = () => [path, here.at("5"), here.cwd]
  const bash = createBashTool(here.cwd, { shownFiles })
  const { details } = await bash.execute("c", { command: "head -n 5 a.ts; touch made" }, context())
  const stat = statSync(path)
  assert.deepEqual(details?.seen, [{ path, size: 4, mtimeMs: stat.mtimeMs }] satisfies SeenFile[])
  const made = statSync(here.at("made")).ctimeMs
  assert.ok(details && made >= details.started_at - 10 && made <= details.started_at + details.duration_ms + 1)
})

test("a file counts as read if grep shows one of its lines, not if only its name appears", async (t) => {
  const here = place(t)
  const path = here.put("a.ts", "needle\n")
  here.put("b.ts", "hay\n")
  const grep = createGrepTool(here.cwd)
  const paths = async (args: { readonly pattern: string; readonly outputMode?: "files_with_matches" | "content" }) => {
    const { details } = await grep.execute("c", args, context())
    return (details?.seen ?? []).map((file) => file.path)
  }
  assert.deepEqual(await paths({ pattern: "needle" }), [path])
  assert.deepEqual(await paths({ pattern: "needle", outputMode: "files_with_matches" }), [])
  for (let at = 0; at < 9; at++) here.put(`many/${at}.ts`, `needle ${"x".repeat(400)}\n`)
  const cut = await createGrepTool(here.cwd, { maxBytes: 1500 }).execute("c", { pattern: "needle x" }, context())
  const shown = (cut.details?.seen ?? []).map((file) => file.path)
  assert.ok(shown.length > 0 && shown.length < 9, "what was cut off was not seen")
  for (const file of shown) assert.ok(messages(cut).includes(file.slice(here.cwd.length + 1)))
})

test("elapsed times use the largest unit", () => {
  const ages = [-5, 0, 59_999, 60_000, 3_599_000, 3_600_000, 86_399_000, 86_400_000, 3 * 86_400_000]
  assert.deepEqual(ages.map(agoText), [
    "0 s ago",
    "0 s ago",
    "59 s ago",
    "1 min ago",
    "59 min ago",
    "1 hour ago",
    "23 hours ago",
    "1 day ago",
    "3 days ago",
  ])
})

test("a file that vanished since it was read is recreated by write, not by edit", async (t) => {
  const here = place(t)
  const path = here.put("src/a.ts", "one\n")
  const seen = seenNow(path)
  rmSync(path)
  const args = { path: "src/a.ts", edits: [{ oldText: "one", newText: "two" }] }
  assert.match(messages(await createEditTool(here.cwd).execute("c", args, context({ seen }))), /^File not found/)
  assert.match(await writer(here)(seen), /^Successfully/)
})
