import assert from "node:assert/strict"
import { test } from "node:test"
import { createMemoryHost } from "../src/host/memory.ts"
import { createEditTool, createReadTool, createWriteTool } from "../src/index.ts"
import { expandPath, resolveForRead, resolveForWrite } from "../src/paths.ts"
import { context, messages } from "./workspace.ts"

const home = "/home/user"

test("[PATH-S.1] ~ and ~/x", () => {
  assert.equal(expandPath("~", "/w", home), home)
  assert.equal(expandPath("~/x", "/w", home), "/home/user/x")
  assert.equal(expandPath("~x", "/w", home), "/w/~x")
})

test("[PATH-S.2] a leading @ is dropped", () => {
  assert.equal(expandPath("@file", "/w", home), "/w/file")
})

test("[PATH-S.3] Unicode spaces become plain ones", () => {
  const others = ["\u00A0", ..."\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A", "\u202F", "\u205F", "\u3000"]
  for (const space of others)
    assert.equal(expandPath(`a${space}b`, "/w", home), "/w/a b", space.codePointAt(0)?.toString(16))
})

test("[PATH-S.4] a relative path starts at the cwd", () => {
  assert.equal(expandPath("a/./b/../c", "/w", home), "/w/a/c")
  assert.equal(expandPath("/x/../y", "/w", home), "/y")
  assert.equal(expandPath(".", "/w", home), "/w")
})

test("[EDIT-5.1] [READ-6.2] [WRITE-3.3] ~ is the home, unless restricted", async () => {
  const host = createMemoryHost({
    cwd: "/w",
    files: { "/home/user/dir/hello.txt": "hello", "/home/user/test.txt": "t" },
  })
  const edits = [{ oldText: "hello", newText: "bye" }]
  const edited = await createEditTool("/w", { host }).execute("c", { path: "~/dir/hello.txt", edits }, context())
  assert.equal(edited.isError, false)
  const read = await createReadTool("/w", { host }).execute("c", { path: "~/test.txt" }, context())
  assert.equal(messages(read), "t")
  await createWriteTool("/w", { host }).execute("c", { path: "~/output/result.txt", content: "data" }, context())
  assert.equal(Buffer.from(await host.readRange("/home/user/output/result.txt", 0)).toString(), "data")
})

test("[PATH-S.5] an absolute path may be read, and written in workspace, home and temp", async () => {
  const host = createMemoryHost({
    cwd: "/w",
    files: { "/skills/x/SKILL.md": "s", "/etc/hosts": "h", "/tmp/out.txt": "o" },
  })
  for (const place of [{ cwd: "/w" }, { cwd: "/w", roots: ["/w"] }])
    for (const path of ["/skills/x/SKILL.md", "/tmp/out.txt"])
      assert.equal(await resolveForRead(host, place, "read", path), path)
  for (const path of ["/w/a", "/home/user/a", "/tmp/a"])
    assert.equal(await resolveForWrite(host, { cwd: "/w" }, "write", path), path)
  await assert.rejects(resolveForWrite(host, { cwd: "/w" }, "write", "/etc/hosts"), /outside the workspace/)
  assert.equal(await resolveForWrite(host, { cwd: "/w", roots: ["/w", "/etc"] }, "write", "/etc/hosts"), "/etc/hosts")
})

test("[PATH-6] a path that is too long, or contains a NUL, is a clear error", async () => {
  const host = createMemoryHost({ cwd: "/w" })
  for (const tool of [createReadTool("/w", { host }), createWriteTool("/w", { host })]) {
    const longest = await tool.execute("c", { path: "a".repeat(4096), content: "" }, context())
    assert.doesNotMatch(messages(longest), /the limit is/)
    const long = await tool.execute("c", { path: "a".repeat(4097), content: "" }, context())
    assert.match(messages(long), /4097 characters long; the limit is 4096/)
    const nul = await tool.execute("c", { path: "a\0b", content: "" }, context())
    assert.match(messages(nul), /NUL/)
  }
})

test("with roots, secret files are not read, unless a root is inside them", async () => {
  const files = { "/home/user/.ssh/id": "k", "/home/user/.codex/auth.json": "k", "/home/user/w/auth.json": "mine" }
  const host = createMemoryHost({ files, links: { "/home/user/w/link": "/home/user/.ssh/id" } })
  const cwd = "/home/user/w"
  const place = { cwd, roots: ["/home/user"], secrets: async () => ["/home/user/.ssh", "/opt/gong/auth.json"] }
  for (const path of ["~/.ssh/id", "~/.codex/auth.json", "link", "../.ssh/id", "/opt/gong/auth.json"])
    await assert.rejects(resolveForRead(host, place, "read", path), /may hold secrets/)
  assert.equal(await resolveForRead(host, place, "read", "auth.json"), "/home/user/w/auth.json")
  const allowed = { ...place, roots: ["/home/user", "/home/user/.ssh/id"] }
  assert.equal(await resolveForRead(host, allowed, "read", "~/.ssh/id"), "/home/user/.ssh/id")
  assert.equal(await resolveForRead(host, { cwd }, "read", "~/.ssh/id"), "/home/user/.ssh/id")
})
