import assert from "node:assert/strict"
import { chmodSync, chownSync, mkdirSync, readdirSync } from "node:fs"
import { test } from "node:test"
import { createLocalHost } from "../../src/host/local.ts"
import { createSandboxedHost } from "../../src/host/sandbox/index.ts"
import {
  createAllTools,
  createEditTool,
  createFindTool,
  createGrepTool,
  createReadTool,
  createWriteTool,
} from "../../src/index.ts"
import { defaults, noSandbox } from "../host/sandbox/sandbox-fixture.ts"
import { context, place, messages, type TestPlace } from "../workspace.ts"

// Runs in its own process: it becomes nobody, because root has all permissions.
const nobody = 65_534
const skip = cannotBecomeNobody()

/**
 * Root of a user namespace with a single user, as in a rootless container, can neither change its user nor be refused.
 */
function cannotBecomeNobody(): string | false {
  if (process.geteuid?.() !== 0) return false
  try {
    process.seteuid?.(nobody)
    process.seteuid?.(0)
    return false
  } catch (error) {
    return `root cannot become another user here: ${String(error)}`
  }
}

async function asNobody<T>(here: TestPlace, work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work()
  chownSync(here.cwd, nobody, nobody)
  process.seteuid?.(nobody)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

const edits = [{ oldText: "one", newText: "two" }]

test("[READ-5.4] [READ-S.27] an unreadable file is EACCES", { skip }, async (t) => {
  const here = place(t)
  chmodSync(here.put("a.txt", "one"), 0o000)
  const result = await asNobody(here, () => createReadTool(here.cwd).execute("c", { path: "a.txt" }, context()))
  assert.equal(result.isError, true)
  assert.match(messages(result), /EACCES/)
})

test("[EDIT-S.05] an unwritable file is not edited", { skip }, async (t) => {
  const here = place(t)
  chmodSync(here.put("a.txt", "one"), 0o444)
  const result = await asNobody(here, () => createEditTool(here.cwd).execute("c", { path: "a.txt", edits }, context()))
  assert.match(messages(result), /EACCES/)
  assert.doesNotMatch(messages(result), /File not found/)
  assert.equal(here.text("a.txt"), "one")
})

test(
  "[WRITE-P.1] [WRITE-P.2] a read-only file is not replaced, although its folder is writable",
  { skip },
  async (t) => {
    const here = place(t)
    chmodSync(here.put("a.txt", "one"), 0o444)
    const write = () => createWriteTool(here.cwd).execute("c", { path: "a.txt", content: "two" }, context())
    const result = await asNobody(here, write)
    assert.equal(result.isError, true)
    assert.match(messages(result), /EACCES/)
    assert.equal(here.text("a.txt"), "one")
  },
)

test("[WRITE-3.1] an unwritable folder is EACCES, and no temporary file remains", { skip }, async (t) => {
  const here = place(t)
  mkdirSync(here.at("d"), { mode: 0o555 })
  const write = () => createWriteTool(here.cwd).execute("c", { path: "d/a.txt", content: "x" }, context())
  const result = await asNobody(here, write)
  assert.equal(result.isError, true)
  assert.match(messages(result), /EACCES/)
  assert.deepEqual(readdirSync(here.at("d")), [])
})

test("find and grep report an unreadable folder and search the rest", { skip }, async (t) => {
  const here = place(t)
  here.put("closed/a.txt", "one")
  here.put("open.txt", "one")
  chmodSync(here.at("closed"), 0o000)
  const found = await asNobody(here, () => createFindTool(here.cwd).execute("c", { pattern: "*.txt" }, context()))
  const grepped = await asNobody(here, () => createGrepTool(here.cwd).execute("c", { pattern: "one" }, context()))
  assert.match(messages(found), /^open\.txt\n\n\[Some of it could not be searched: .*closed/)
  assert.match(messages(grepped), /^open\.txt:1: one\n\n\[Some of it could not be searched: .*closed/)
})

test("every reading tool reports unreadable paths with advice", { skip }, async (t) => {
  const here = place(t)
  chmodSync(here.put("closed.txt", "one"), 0o000)
  here.put("closed/a.txt", "one")
  chmodSync(here.at("closed"), 0o000)
  const tools = createAllTools(here.cwd)
  const notified = (name: keyof typeof tools, args: object) =>
    asNobody(here, async () => messages(await tools[name].execute("c", args as never, context())))
  const advice = /EACCES[^]*(?:Choose|Check|Ask|Give)/
  assert.match(await notified("read", { path: "closed.txt" }), advice)
  assert.match(await notified("read", { path: "closed/a.txt" }), advice)
  assert.match(await notified("write", { path: "closed/b.txt", content: "x" }), advice)
  assert.match(await notified("edit", { path: "closed/a.txt", edits }), advice)
  assert.match(await notified("ls", { path: "closed" }), advice)
  assert.match(await notified("grep", { path: "closed.txt", pattern: "one" }), /[Pp]ermission denied|EACCES/)
  assert.match(await notified("grep", { path: "closed/a.txt", pattern: "one" }), advice)
  assert.match(await notified("find", { path: "closed/below", pattern: "*" }), advice)
})

test("an unreadable subfolder does not hide its siblings and is reported", { skip }, async (t) => {
  const here = place(t)
  here.put("open/a.txt", "needle")
  here.put("closed/a.txt", "needle")
  chmodSync(here.at("closed"), 0o000)
  const { grep, find, ls } = createAllTools(here.cwd)
  const [found, listed, shown] = await asNobody(here, async () => [
    messages(await grep.execute("c", { pattern: "needle" } as never, context())),
    messages(await find.execute("c", { pattern: "*.txt" } as never, context())),
    messages(await ls.execute("c", {} as never, context())),
  ])
  assert.match(found ?? "", /open\/a\.txt:1: needle[^]*closed[^]*(?:denied|EACCES)/)
  assert.match(listed ?? "", /open\/a\.txt[^]*closed[^]*(?:denied|EACCES)/)
  assert.match(shown ?? "", /closed\/\nopen\//)
})

test(
  "a folder that cannot be entered is reported as such in the sandbox too",
  { skip: skip || noSandbox },
  async (t) => {
    const here = place(t)
    mkdirSync(here.at("closed"))
    chmodSync(here.at("closed"), 0o000)
    const host = createSandboxedHost(createLocalHost({ cwd: here.cwd, home: here.at("none") }), defaults([here.cwd]))
    const options = { cwd: here.at("closed"), signal: new AbortController().signal, onData: () => undefined }
    await asNobody(here, () => assert.rejects(host.exec("true", options), { code: "EACCES" }))
  },
)

test("a user with write permission may write, also as another user than the owner", { skip }, async (t) => {
  const here = place(t)
  const write = () => createWriteTool(here.cwd).execute("c", { path: "d/a.txt", content: "x" }, context())
  assert.match(messages(await asNobody(here, write)), /^Successfully/)
})
