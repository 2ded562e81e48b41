import assert from "node:assert/strict"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { createLocalHost } from "@gong/tools/host/local"
import { folder } from "@gong/testing/folder"
import type { ControllerState } from "../../../src/controller/api.ts"
import { fileMatches } from "../../../src/controller/files/file-matches.ts"

interface Place {
  readonly root: string
  /** Milliseconds. */
  now: number
  /** Folders that were listed. */
  lists: number
  /** Timers that were not cancelled. */
  timers: number
  fails: boolean
  paths(query: string, limit?: number): Promise<readonly string[]>
  found(query: string, limit?: number): ReturnType<typeof fileMatches>
}

function place(t: TestContext, files: readonly string[]): Place {
  const root = folder(t, Object.fromEntries(files.map((path) => [path, ""])))
  const local = createLocalHost({ cwd: root })
  const made: Place = {
    root,
    now: 1_000_000,
    lists: 0,
    timers: 0,
    fails: false,
    paths: async (query, limit) => (await made.found(query, limit)).paths,
    found: (query, limit) => fileMatches(state, query, limit),
  }
  const clock = {
    now: () => made.now,
    timer: (ms: number) => {
      // The time limit of a list; others are for the programs that make it.
      if (ms === 30_000) made.lists += 1
      made.timers += 1
      return () => void (made.timers -= 1)
    },
    sleep: async () => undefined,
  }
  const host = new Proxy(local, {
    get(target, name, receiver) {
      if (made.fails) throw new Error("the disk is gone")
      return Reflect.get(target, name, receiver)
    },
  })
  const state = {
    services: { clock },
    current: { host: new Proxy(host, {}), info: { cwd: root } },
  } as unknown as ControllerState
  return made
}

/** Waits until so many lists have begun, and ended. */
async function listed(where: Place, count: number): Promise<void> {
  const isOver = (): boolean => where.lists >= count && where.timers === 0
  for (let turn = 0; turn < 20_000 && !isOver(); turn++) await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([where.lists, where.timers], [count, 0])
}

test("a better match is first, although its path is longer", async (t) => {
  const ranked = [
    // The whole name.
    "longest/of/them/all/View",
    // The start of the name.
    "long/folder/of/a/viewer",
    // The start of the path.
    "View/folder/of/a/z",
    // A part of the name.
    "q/folder/a/Xview",
    // A part of the path.
    "q/folder/iview/z",
    // The characters alone.
    "v-i-e-w",
  ]
  const { paths } = place(t, ranked)
  const isFolder = (path: string): boolean => path.endsWith("/")
  assert.deepEqual(
    (await paths("view")).filter((path) => !isFolder(path)),
    ranked,
  )
  assert.deepEqual(
    (await paths("vIEW")).filter((path) => !isFolder(path)),
    ranked,
  )
  assert.equal((await paths("view/folder/of/a/z"))[0], "View/folder/of/a/z")
  assert.equal((await paths("view"))[0], "View/", "a folder by its name, too")
  assert.deepEqual(await paths("v i-e"), ["v-i-e-w"])
})

test("without a query the files and folders at the top are given", async (t) => {
  const { paths } = place(t, ["a/b/c", "d"])
  assert.deepEqual(await paths(""), ["d", "a/"])
  assert.deepEqual(await paths("  "), ["d", "a/"])
})

test("the 1,000 shortest of the matching paths are ranked", async (t) => {
  const { found } = place(t, [
    ...Array.from({ length: 1_000 }, (_, at) => `f${String(at).padStart(3, "0")}`),
    "longer/f",
  ])
  const { paths, more } = await found("f", 2_000)
  assert.deepEqual([paths.length, more, paths.includes("longer/f")], [1_000, false, false])
})

test("characters of a query are found in their order, each behind the one before", async (t) => {
  const { paths } = place(t, ["abab.ts", "ba.ts", "é/x", "e\u0301y"])
  assert.deepEqual(await paths("abab"), ["abab.ts"])
  assert.deepEqual(await paths("ba.ts"), ["ba.ts", "abab.ts"])
  assert.deepEqual(await paths("ababa"), [])
  assert.deepEqual((await paths("é")).toSorted(), ["é/", "é/x", "e\u0301y"].toSorted(), "in any normal form")
})

test("at most 50 paths are given, or the limit, with whether there are more", async (t) => {
  const { found } = place(
    t,
    Array.from({ length: 51 }, (_, at) => `f${String(at).padStart(2, "0")}`),
  )
  const all = await found("f")
  assert.deepEqual([all.paths.length, all.more, all.complete], [50, true, true])
  const exact = await found("f", 51)
  assert.deepEqual([exact.paths.length, exact.more], [51, false])
  const two = await found("f", 2)
  assert.deepEqual([two.paths, two.more], [["f00", "f01"], true])
})

test("only the first 200 characters of a query count", async (t) => {
  const name = "q".repeat(200)
  const { paths } = place(t, [`${name}.ts`])
  assert.deepEqual(await paths(`${name}z`), [`${name}.ts`])
  assert.deepEqual(await paths(`${name.slice(1)}z`), [])
})

test("the list is made anew in the background after 5 s, once at a time", async (t) => {
  const where = place(t, ["one"])
  assert.deepEqual(await where.paths(""), ["one"])
  await listed(where, 1)
  writeFileSync(join(where.root, "two"), "")
  where.now += 5_000
  assert.deepEqual(await where.paths(""), ["one"])
  assert.equal(where.lists, 1)
  where.now += 1
  assert.deepEqual(await where.paths(""), ["one"], "the old list is used meanwhile")
  await where.paths("")
  await listed(where, 2)
  assert.deepEqual(await where.paths(""), ["one", "two"])
  where.now += 5_000
  await where.paths("")
  assert.equal(where.lists, 2, "its age counts from its end")
  rmSync(join(where.root, "one"))
  where.now += 1
  await where.paths("")
  await listed(where, 3)
  assert.deepEqual(await where.paths(""), ["two"])
})

test("a list that fails is made again by the next query", async (t) => {
  const where = place(t, ["one"])
  where.fails = true
  await assert.rejects(where.paths(""), /the disk is gone/)
  where.fails = false
  assert.deepEqual(await where.paths(""), ["one"])
})

test("lists of eight folders are kept", async (t) => {
  const places = Array.from({ length: 9 }, () => place(t, ["one"]))
  for (const where of places) await where.paths("")
  const [first, second] = places
  await second?.paths("")
  assert.equal(second?.lists, 1)
  await first?.paths("")
  assert.equal(first?.lists, 2, "the oldest was dropped")
  await second?.paths("")
  assert.equal(second?.lists, 2, "then the next oldest")
})
