import assert from "node:assert/strict"
import { test } from "node:test"
import type { Host } from "@gong/spec"
import { createMemoryHost } from "../../src/host/memory.ts"
import { suggestPaths } from "../../src/read/suggestions.ts"

const suggested = (files: readonly string[], path: string, host: (memory: Host) => Host = (memory) => memory) =>
  suggestPaths(
    host(createMemoryHost({ files: Object.fromEntries(files.map((file) => [file, ""])) })),
    "/work",
    path,
    new AbortController().signal,
  )

test("similar names: another case, one slip, another ending, in this order", async () => {
  for (const [files, wanted, found] of [
    [["/work/README.md", "/work/readme.txt", "/work/readm.md"], "readme.md", ["README.md"]],
    [["/work/Stra\u00dfe.txt", "/work/cafe\u0301.txt"], "CAF\u00c9.txt", ["cafe\u0301.txt"]],
    [["/work/mian.ts", "/work/main.json"], "main.ts", ["mian.ts"]],
    [["/work/man.ts"], "main.ts", ["man.ts"]],
    [["/work/mainn.ts"], "main.ts", ["mainn.ts"]],
    [["/work/mein.ts"], "main.ts", ["mein.ts"]],
    [["/work/amin.st"], "main.ts", []],
    [["/work/mxyn.ts"], "main.ts", []],
    [["/work/niam.ts"], "main.ts", []],
    [["/work/main.json", "/work/main.test.ts"], "main.ts", ["main.json"]],
    [["/work/.env.local"], ".env", [".env.local"]],
    [["/work/.env"], ".env.local", [".env"]],
    [["/work/ab"], "ax", []],
    [["/work/abc"], "abx", ["abc"]],
    [["/work/abc"], "ab", []],
    [["/work/aab", "/work/aaab"], "aaaab", ["aaab"]],
  ] as const)
    assert.deepEqual(
      await suggested(files, `/work/${wanted}`),
      found.map((name) => `/work/${name}`),
      wanted,
    )
})

test("each part of a path may be similar; at most three are suggested, sorted", async () => {
  assert.deepEqual(await suggested(["/work/Src/Main.ts"], "/work/src/main.ts"), ["/work/Src/Main.ts"])
  assert.deepEqual(await suggested(["/work/SRC/a.ts", "/work/Src/a.ts"], "/work/src/a.ts"), [
    "/work/SRC/a.ts",
    "/work/Src/a.ts",
  ])
  const many = ["d", "c", "b", "a"].map((name) => `/work/x.${name}`)
  assert.deepEqual(await suggested(many, "/work/x.z"), ["/work/x.a", "/work/x.b", "/work/x.c"])
  assert.deepEqual(await suggested(["/work/a"], "/other/none/file"), [])
})

test("otherwise files of the same name below are suggested, the nearest first", async () => {
  const files = [
    "/work/deep/er/Config.json",
    "/work/one/config.json",
    "/work/node_modules/config.json",
    "/work/.git/config.json",
    "/work/dir/config.json/x",
    "/elsewhere/config.json",
  ]
  assert.deepEqual(await suggested(files, "/work/x/config.json"), [
    "/work/one/config.json",
    "/work/deep/er/Config.json",
  ])
  const five = Array.from({ length: 5 }, (_, at) => `/work/d${at}/same.txt`)
  assert.equal((await suggested(five, "/work/none/same.txt")).length, 3)
})

test("200 folders are searched", async () => {
  const folders = (count: number) => Array.from({ length: count }, (_, at) => `/work/d${`${at}`.padStart(3, "0")}/x`)
  const of = (count: number) => suggested([...folders(count), "/work/last/far.txt"], "/work/none/far.txt")
  assert.deepEqual(await of(198), ["/work/last/far.txt"])
  assert.deepEqual(await of(199), [])
})

test("a folder that cannot be read is empty, and an abort ends the search", async () => {
  const unreadable = (memory: Host): Host => ({ ...memory, readdir: () => Promise.reject(new Error("no")) })
  assert.deepEqual(await suggested(["/work/a/same.txt"], "/work/b/same.txt", unreadable), [])
  const host = createMemoryHost({ files: { "/work/a/same.txt": "" } })
  assert.deepEqual(await suggestPaths(host, "/work", "/work/b/same.txt", AbortSignal.abort()), [])
})
