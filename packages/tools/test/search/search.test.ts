import assert from "node:assert/strict"
import { mkdirSync, symlinkSync } from "node:fs"
import { dirname } from "node:path"
import { test, type TestContext } from "node:test"
import type { Host } from "@gong/spec"
import { createLocalHost } from "../../src/host/local.ts"
import { createMemoryHost } from "../../src/host/memory.ts"
import { createFindTool, createGrepTool } from "../../src/index.ts"
import { context, place, messages } from "../workspace.ts"
import { type SearchCase, searchCases } from "./search-cases.ts"

/** A host with the tree of a case. */
type MakePlace = (t: TestContext, tree: SearchCase) => Host

const onDisk: MakePlace = (t, tree) => {
  const here = place(t)
  for (const [path, content] of Object.entries(tree.files)) here.put(path, content)
  for (const [path, to] of Object.entries(tree.links ?? {})) {
    mkdirSync(dirname(here.at(path)), { recursive: true })
    symlinkSync(to, here.at(path))
  }
  return createLocalHost({ cwd: here.cwd })
}

const inMemory: MakePlace = (_t, { files, links }) => {
  const under = <T>(all: Readonly<Record<string, T>> = {}) =>
    Object.fromEntries(Object.entries(all).map(([path, content]) => [`/w/${path}`, content]))
  return createMemoryHost({ cwd: "/w", files: under(files), links: under(links) })
}

const engines: Readonly<Record<string, MakePlace>> = {
  ripgrep: onDisk,
  "the built-in walker": (t, tree) => ({ ...onDisk(t, tree), id: "elsewhere", which: async () => null }),
  "the built-in walker in memory": inMemory,
}

for (const [engine, make] of Object.entries(engines)) {
  for (const tree of searchCases) {
    test(`${tree.title}: by ${engine}`, async (t) => {
      const host = make(t, tree)
      for (const [args, names] of tree.find ?? []) {
        const result = await createFindTool(host.cwd, { host }).execute("c", args, context())
        assert.deepEqual(rows(messages(result)).sort(), [...names].sort(), JSON.stringify(args))
      }
      for (const [args, expected] of tree.grep ?? []) {
        const result = await createGrepTool(host.cwd, { host }).execute("c", args, context())
        assert.deepEqual(rows(messages(result)), expected, JSON.stringify(args))
      }
    })
  }
}

for (const [engine, make] of Object.entries(engines))
  test(`a result says if ignore files excluded everything and were not applied, and only then: by ${engine}`, async (t) => {
    const files = {
      ".gitignore": "*\n",
      "a.txt": "needle\n",
      "open/.ignore": "!*\n",
      "open/b.txt": "needle\n",
      "open/c.log": "",
    }
    const host = make(t, { title: "", files })
    const find = async (args: { pattern: string; path?: string }) =>
      messages(await createFindTool(host.cwd, { host }).execute("c", args, context()))
    const unapplied = "ignore files leave nothing of this path, so they were not applied"
    assert.equal(await find({ pattern: "*.txt", path: "open" }), "b.txt")
    assert.equal(
      await find({ pattern: "*.md", path: "open" }),
      "No files found\n\n[left out: what ignore files name, .git]",
    )
    const all = make(t, { title: "", files: { ".gitignore": "*\n", "a.txt": "needle\n" } })
    const shown = async (pattern: string) =>
      messages(await createFindTool(all.cwd, { host: all }).execute("c", { pattern }, context()))
    assert.equal(await shown("*.txt"), `a.txt\n\n[${unapplied}]`)
    assert.equal(await shown("*.md"), `No files found\n\n[${unapplied}. left out: .git, node_modules]`)
    const grep = await createGrepTool(all.cwd, { host: all }).execute("c", { pattern: "needle" }, context())
    assert.equal(messages(grep), `a.txt:1: needle\n\n[${unapplied}]`)
    const empty = make(t, { title: "", files: { ".git/HEAD": "" } })
    const none = await createFindTool(empty.cwd, { host: empty }).execute("c", { pattern: "*" }, context())
    assert.doesNotMatch(messages(none), /not applied/)
  })

/** A result without its notes. */
function rows(text: string): string[] {
  return (text.split("\n\n[")[0] ?? "").split("\n")
}
