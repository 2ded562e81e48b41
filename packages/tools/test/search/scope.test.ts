import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "@gong/testing/sim/clock"
import { createMemoryHost, type MemoryHostOptions } from "../../src/host/memory.ts"
import { troubleOf } from "../../src/search/list-files.ts"
import {
  checkPattern,
  excludedNames,
  inRepository,
  isThere,
  resolveFolder,
  scopeFlags,
  secretPatterns,
} from "../../src/search/scope.ts"

const host = (files: readonly string[], more: MemoryHostOptions = {}) =>
  createMemoryHost({ files: Object.fromEntries(files.map((path) => [path, ""])), ...more })

test("a folder of a call exists and is one", async () => {
  const memory = host(["/work/a"])
  const site = { host: async () => memory, place: { cwd: "/work" }, clock: manualClock() }
  const hints = { missing: "Look.", file: "Give it." }
  const resolve = (typed: string) => resolveFolder(site as never, "ls", typed, hints)
  assert.equal(await resolve("."), "/work")
  await assert.rejects(resolve("none"), { name: "Refusal", message: "Path not found: none. Look." })
  await assert.rejects(resolve("a"), { name: "Refusal", message: "Not a directory: a. Give it." })
  assert.throws(() => checkPattern("a\0"), { message: "The pattern holds a NUL character. Give it without." })
  checkPattern("a")
})

test("secrets below a searched folder are excluded, and logins in dot folders of the home", async () => {
  const secrets = async () => ["/home/user/.ssh", "/work/.env", "/workspace/x"]
  const place = { cwd: "/work", roots: ["/work"], secrets }
  const of = (folder: string, given: object = place) => secretPatterns(host([]), given as typeof place, folder)
  assert.deepEqual(await of("/work"), ["/.env"])
  assert.deepEqual(await of("/home/user"), ["/.ssh", "/.*/**/auth.json"])
  assert.deepEqual(await of("/home"), ["/user/.ssh", "/user/.*/**/auth.json"])
  assert.deepEqual(await of("/"), ["/home/user/.ssh", "/work/.env", "/workspace/x", "/home/user/.*/**/auth.json"])
  assert.deepEqual(await of("/home/user/.ssh"), [])
  assert.deepEqual(await of("/home/us"), [])
  assert.deepEqual(await of("/", { ...place, roots: "anywhere" }), [])
  assert.deepEqual(await of("/", { cwd: "/work", secrets }), [])
})

test("a folder is in a repository if it or one above has a .git", async () => {
  const memory = host(["/r/.git/HEAD", "/r/a/b/c", "/x/y"])
  const answers = await Promise.all(["/r", "/r/a/b", "/x", "/"].map((folder) => inRepository(memory, folder)))
  assert.deepEqual(answers, [true, true, false, false])
  assert.equal(await inRepository(host(["/.git"]), "/x"), true)
  const broken = { ...memory, stat: () => Promise.reject(new Error("no")) }
  assert.deepEqual(
    [await isThere(memory, "/x/y"), await isThere(memory, "/x/z"), await isThere(broken, "/x/y")],
    [true, false, false],
  )
})

test("packages are excluded by name only where no ignore file is, up to the top of the repository", async () => {
  for (const [files, excluded] of [
    [[], [".git", "node_modules"]],
    [["/r/a/.gitignore"], [".git"]],
    [["/r/a/.ignore"], [".git"]],
    [["/r/a/.rgignore"], [".git"]],
    [["/r/.gitignore"], [".git"]],
    [["/.ignore"], [".git"]],
    [
      ["/r/.gitignore", "/r/a/.git/HEAD"],
      [".git", "node_modules"],
    ],
    [["/r/.gitignore", "/r/.git/HEAD"], [".git"]],
    [["/r/a/mix.exs"], [".git", "node_modules", "/_build", "/deps"]],
    [["/r/mix.exs"], [".git", "node_modules"]],
  ] as const)
    assert.deepEqual(await excludedNames(host(["/r/a/x", ...files]), "/r/a"), excluded, files.join())
})

test("the scope as arguments of ripgrep", () => {
  const scope = {
    folder: "/",
    exclude: ["a", "/b"],
    everything: false,
    repository: true,
    clock: manualClock(),
    signal: new AbortController().signal,
  }
  const exclude = ["--glob", "!a", "--glob", "!/b"]
  assert.deepEqual(scopeFlags(scope), ["--hidden", ...exclude])
  assert.deepEqual(scopeFlags({ ...scope, repository: false }), ["--hidden", "--no-require-git", ...exclude])
  assert.deepEqual(scopeFlags({ ...scope, everything: true, repository: false, exclude: [] }), [
    "--hidden",
    "--no-ignore",
  ])
  assert.deepEqual(["rg: ./a: x\nmore\n", " \nfirst", "", "a rg: b"].map(troubleOf), ["./a: x", "first", "", "a rg: b"])
})
