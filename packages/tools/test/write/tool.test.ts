import assert from "node:assert/strict"
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { test } from "node:test"
import { checkArguments, type ToolContext } from "@gong/spec"
import { createEditTool, createReadTool, createWriteTool } from "../../src/index.ts"
import { abortedContext, context, lines, place, messages, seenNow } from "../workspace.ts"

test("[WRITE-1.1] [WRITE-D.1] [WRITE-S.01] a new file, with its size in bytes", async (t) => {
  const here = place(t)
  const result = await createWriteTool(here.cwd).execute("c", { path: "a.txt", content: "hello wörld" }, context())
  assert.equal(messages(result), "Successfully wrote 12 bytes to a.txt")
  assert.equal(here.text("a.txt"), "hello wörld")
  assert.deepEqual(result.files, [{ path: "a.txt", change: "created", added: 1, removed: 0 }])
  assert.deepEqual([result.details?.byte_size, result.details?.created], [12, true])
})

test("[WRITE-1.2] [WRITE-S.02] an existing file is overwritten without a question by the tool", async (t) => {
  const here = place(t)
  here.put("a.txt", "one\ntwo\nthree\n")
  const result = await createWriteTool(here.cwd).execute(
    "c",
    { path: "a.txt", content: "one\n2\n3\nthree\n" },
    context(),
  )
  assert.equal(here.text("a.txt"), "one\n2\n3\nthree\n")
  assert.deepEqual(readdirSync(here.cwd), ["a.txt"])
  assert.equal(result.details?.created, false)
  assert.deepEqual(result.files, [{ path: "a.txt", change: "modified", added: 2, removed: 1 }])
})

test("[WRITE-1.3] [WRITE-D.2] parent folders are created", async (t) => {
  const here = place(t)
  await createWriteTool(here.cwd).execute("c", { path: "nested/deep/dir/test.txt", content: "hello" }, context())
  assert.equal(here.text("nested/deep/dir/test.txt"), "hello")
})

test("[WRITE-2.1] [WRITE-P.4] an empty text creates an empty file", async (t) => {
  const here = place(t)
  await createWriteTool(here.cwd).execute("c", { path: "a.txt", content: "" }, context())
  assert.equal(here.bytes("a.txt").length, 0)
})

test("[WRITE-2.2] Unicode round-trips", async (t) => {
  const here = place(t)
  await createWriteTool(here.cwd).execute("c", { path: "a.txt", content: "你好 🌍" }, context())
  assert.equal(messages(await createReadTool(here.cwd).execute("c", { path: "a.txt" }, context())), "你好 🌍")
})

test("[WRITE-3.2] [WRITE-P.3] a relative path that leaves the cwd is refused", async (t) => {
  const here = place(t)
  mkdirSync(here.at("work"))
  for (const path of ["../../etc/crontab", "../out.txt"]) {
    const result = await createWriteTool(here.at("work")).execute("c", { path, content: "malicious" }, context())
    assert.equal(result.status, "refused")
  }
  assert.throws(() => here.text("out.txt"))
})

test("[WRITE-3.4] arguments of the wrong type fail the schema", async () => {
  const { parameters } = createWriteTool("/")
  assert.equal((await checkArguments(parameters, { path: 123, content: "x" })).ok, false)
  assert.equal((await checkArguments(parameters, { path: "a", content: null })).ok, false)
})

test("[WRITE-S.03] file name variants of macOS are not tried for writing", async (t) => {
  const here = place(t)
  here.put("it\u2019s.txt", "old")
  await createWriteTool(here.cwd).execute("c", { path: "it's.txt", content: "new" }, context())
  assert.equal(here.text("it\u2019s.txt"), "old")
  assert.equal(here.text("it's.txt"), "new")
})

test("[WRITE-S.04] an abort writes nothing", async (t) => {
  const here = place(t)
  const result = await createWriteTool(here.cwd).execute("c", { path: "a.txt", content: "x" }, abortedContext())
  assert.deepEqual([result.isError, messages(result)], [true, "Operation aborted"])
  assert.throws(() => here.text("a.txt"))
})

test("[WRITE-S.05] a directory is not overwritten", async (t) => {
  const here = place(t)
  mkdirSync(here.at("d"))
  const result = await createWriteTool(here.cwd).execute("c", { path: "d", content: "x" }, context())
  assert.equal(result.isError, true)
  assert.match(messages(result), /Is a directory/)
})

test("a path with a trailing slash creates no file", async (t) => {
  const here = place(t)
  const result = await createWriteTool(here.cwd).execute("c", { path: "new/", content: "x" }, context())
  assert.equal(result.isError, true)
  assert.match(messages(result), /Is a directory: new\/\. Give a file/)
  assert.equal(existsSync(here.at("new")), false)
})

test("[PATH-S.6] a link that leads out of the workspace is checked by its target", async (t) => {
  const here = place(t)
  here.put("out/a.txt", "old")
  mkdirSync(here.at("work"))
  symlinkSync(here.at("out"), here.at("work/link"))
  symlinkSync(here.at("out/none.txt"), here.at("work/dangling.txt"))
  for (const options of [{}, { roots: [here.at("work")] }]) {
    const tool = createWriteTool(here.at("work"), options)
    assert.equal((await tool.execute("c", { path: "link/a.txt", content: "x" }, context())).status, "refused")
    assert.equal((await tool.execute("c", { path: "link/new.txt", content: "x" }, context())).status, "refused")
    const dangling = await tool.execute("c", { path: "dangling.txt", content: "x" }, context())
    assert.equal(dangling.isError, true)
    assert.match(messages(dangling), /is a symbolic link to a place that does not exist\. Use the real path\./)
  }
  const edit = createEditTool(here.at("work"))
  const edits = [{ oldText: "old", newText: "new" }]
  assert.equal((await edit.execute("c", { path: "link/a.txt", edits }, context())).status, "refused")
  assert.equal(here.text("out/a.txt"), "old")
  assert.throws(() => here.text("out/none.txt"))
  const open = createWriteTool(here.at("work"), { roots: "anywhere" })
  await open.execute("c", { path: "link/a.txt", content: "x" }, context())
  assert.equal(here.text("out/a.txt"), "x")
})

test("with roots the refusal says how to allow it, and a permission just granted applies", async (t) => {
  const here = place(t)
  mkdirSync(here.at("work"))
  mkdirSync(here.at("db"))
  const allowed: string[] = [here.at("work")]
  const tool = createWriteTool(here.at("work"), { roots: () => allowed })
  const refused = await tool.execute("c", { path: "../db/x.ts", content: "x" }, context())
  const path = here.at("db/x.ts")
  assert.equal(
    messages(refused),
    `Refused: ${path} is outside the workspace (${here.at("work")}). Allow it with --add-dir ${here.at("db")} or --allow "write(${path})".`,
  )
  allowed.push(path)
  assert.equal((await tool.execute("c", { path: "../db/x.ts", content: "x" }, context())).isError, false)
})

test("a file that became much shorter is reported, if the session can restore it", async (t) => {
  const here = place(t)
  const path = here.put("a.txt", lines(453))
  const session = { record: async () => {} }
  const said1 = async (before: string, content: string, of: Partial<ToolContext> = session) => {
    here.put("a.txt", before)
    const call = context({ seen: seenNow(path), ...of })
    return messages(await createWriteTool(here.cwd).execute("c", { path: "a.txt", content }, call))
  }
  const notice =
    "This removed 353 of 453 lines. If that was not meant: the earlier text is kept; ask the user for /undo or write it back."
  assert.equal(await said1(lines(453), lines(100)), `Successfully wrote 792 bytes to a.txt\n${notice}`)
  assert.doesNotMatch(await said1(lines(453), lines(263)), /removed/, "more than 40 % is left")
  assert.doesNotMatch(await said1(lines(60), lines(10)), /removed/, "50 lines are few")
  assert.match(await said1(lines(61), lines(10)), /removed 51 of 61 lines/)
  assert.doesNotMatch(await said1("a\n".repeat(500), "a".repeat(400)), /removed/, "exactly 40 % is left")
  assert.match(await said1("a\n".repeat(500), "a".repeat(399)), /removed 499 of 500 lines/)
  assert.doesNotMatch(await said1(lines(453), "", {}), /removed/, "nothing keeps the earlier text")
  const library = await createWriteTool(here.cwd).execute("c", { path: "a.txt", content: "" }, context(session))
  assert.doesNotMatch(messages(library), /removed/, "not seen")
})
