import assert from "node:assert/strict"
import { readdirSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import type { Host } from "@gong/spec"
import { folder } from "@gong/testing/folder"
import { createLocalHost } from "../../../../src/host/local.ts"
import { createMemoryHost } from "../../../../src/host/memory.ts"
import { removeLines, unsafeLines } from "../../../../src/host/sandbox/review/unsafe-lines.ts"

const found = async (files: Readonly<Record<string, string>>) =>
  unsafeLines(
    createMemoryHost({ files: Object.fromEntries(Object.entries(files).map(([k, v]) => [`/g/${k}`, v])) }),
    "/g",
  )

test("lines of a rebase that run a program are found, in either state", async () => {
  const runs = ["exec true", "x true", "\texec", "  x\r", " \t exec\ttrue"]
  const others = ["pick 1 exec", "execute", "xx true", "# exec", "fixup 1", "x-true", "", "exec,true"]
  for (const state of ["rebase-merge", "rebase-apply"]) {
    const path = `/g/${state}/git-rebase-todo`
    assert.deepEqual(
      await found({ [`${state}/git-rebase-todo`]: [...runs, ...others].join("\n") }),
      runs.map((line) => ({ path, line, inList: true })),
    )
  }
  assert.deepEqual(await found({ "other/git-rebase-todo": "exec true" }), [])
})

test("a list of more than 4 MB is unsafe without being read", async () => {
  const limit = 4 * 1024 * 1024
  assert.deepEqual(await found({ "rebase-merge/git-rebase-todo": "a".repeat(limit) }), [])
  assert.deepEqual(await found({ "rebase-merge/git-rebase-todo": "a".repeat(limit + 1) }), [
    { path: "/g/rebase-merge/git-rebase-todo", line: "", inList: false },
  ])
})

test("a strategy that git does not have is a program", async () => {
  for (const name of ["ort", "recursive\n", "resolve", "octopus", "ours", "subtree \n"]) {
    assert.deepEqual(await found({ "rebase-merge/strategy": name }), [], name)
    assert.deepEqual(await found({ "sequencer/opts": `[options]\n\tstrategy = ${name.trim()}\n` }), [], name)
  }
  for (const name of ["./mine", "orts", "my-ort", "ort mine", ""]) {
    assert.deepEqual(await found({ "rebase-apply/strategy": name }), [
      { path: "/g/rebase-apply/strategy", line: name, inList: false },
    ])
    const line = `\tstrategy = ${name}`
    assert.deepEqual(await found({ "sequencer/opts": `[options]\n${line}\n\tstrategy = ort\n` }), [
      { path: "/g/sequencer/opts", line, inList: false },
    ])
  }
  assert.deepEqual(await found({ "sequencer/opts": "\tstrategy-option = a\n\tmainline = 1" }), [])
  const both = ["\tSTRATEGY = ort", "x strategy = ort"]
  assert.deepEqual(await found({ "sequencer/opts": both.join("\n") }), [
    { path: "/g/sequencer/opts", line: both.join("\n"), inList: false },
  ])
})

test("only unsafe lines are removed from a list, byte by byte", async () => {
  const path = "/g/rebase-merge/git-rebase-todo"
  const bytes = Buffer.from([0xff, 0x0a])
  const text = Buffer.concat([Buffer.from("pick 1\nexec a\nx b\npick 2 exec a\n"), bytes])
  const memory = createMemoryHost({ files: { [path]: "" } })
  await memory.replaceFile(path, text)
  const host: Host = memory
  const lines = (await unsafeLines(host, "/g")).filter(({ line }) => line === "exec a")
  assert.equal(await removeLines(host, path, lines), true)
  const left = Buffer.concat([Buffer.from("pick 1\nx b\npick 2 exec a\n"), bytes])
  assert.deepEqual(Buffer.from(await host.readRange(path, 0)), left)
  const closed: Host = { ...host, replaceFile: () => Promise.reject(new Error("EROFS")) }
  assert.equal(await removeLines(closed, path, lines), false)
})

test("a file with a single unsafe value is moved away as a whole", async (t) => {
  const root = realpathSync(folder(t, { "rebase-merge/strategy": "./mine" }))
  const host = createLocalHost({ cwd: root, home: root })
  const path = join(root, "rebase-merge/strategy")
  assert.equal(await removeLines(host, path, await unsafeLines(host, root)), true)
  assert.deepEqual(readdirSync(join(root, "rebase-merge")), ["strategy.sandbox"])
  assert.equal(await removeLines(host, path, [{ path, line: "./mine", inList: false }]), false, "it is gone")
})
