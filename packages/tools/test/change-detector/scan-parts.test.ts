import assert from "node:assert/strict"
import { test } from "node:test"
import type { Host, HostStat } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { changesOf, differences, type State } from "../../src/change-detector/changes.ts"
import { createCopies, firstCopies, type Known } from "../../src/change-detector/copies.ts"
import { listWorkspace } from "../../src/change-detector/listing.ts"
import { createMemoryHost } from "../../src/host/memory.ts"

const statOf = async (host: Host, path: string): Promise<HostStat> => (await host.stat(path)) ?? assert.fail(path)

/** Artifacts in memory, and the sizes that were stored. */
function artifacts() {
  const kept: Uint8Array[] = []
  return {
    sizes: () => kept.map(({ length }) => length),
    put: async (bytes: Uint8Array) => `sha256-${kept.push(Uint8Array.from(bytes)) - 1}`,
    get: async (id: string) => kept[Number(id.slice("sha256-".length))] ?? null,
    spillPath: async (name: string) => name,
  }
}

function copiesOn(host: Host, limits: { maxFileBytes?: number; maxBytes?: number } = {}) {
  const stored = artifacts()
  const options = {
    host,
    artifacts: stored,
    folder: "/work",
    clock: manualClock(),
    maxTime: 300,
    maxFileBytes: 100,
    maxBytes: 1_000,
    gitEnvironment: async () => null,
    ...limits,
  }
  return { stored, copies: createCopies(options as never), options }
}

test("a listing has the regular files that are not ignored, and says why others may be missing", async () => {
  const host = createMemoryHost({
    files: {
      "/work/a": "",
      "/work/d/b": "",
      "/work/.git/c": "",
      "/work/.gong-1.edit.tmp": "",
      "/work/x.log": "",
      "/work/.ignore": "*.log",
    },
    links: { "/work/link": "a" },
  })
  const options = { folder: "/work", place: { cwd: "/work" }, clock: manualClock(), maxFiles: 3, maxTime: 300 }
  const all = await listWorkspace(host, options)
  assert.deepEqual([[...all.files.keys()].toSorted(), all.cut], [["/work/.ignore", "/work/a", "/work/d/b"], null])
  const few = await listWorkspace(host, { ...options, maxFiles: 2 })
  assert.deepEqual([few.files.size, few.cut], [2, "it has more than 2 files"])
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`/work/${at}`, ""]))
  const thousand = await listWorkspace(createMemoryHost({ files: many }), { ...options, maxFiles: 1_000 })
  assert.equal(thousand.cut, "it has more than 1,000 files")
  const failing = { ...host, readdir: () => Promise.reject(Object.assign(new Error("no"), { code: "EACCES" })) }
  assert.match((await listWorkspace(failing, options)).cut ?? "", /^not all of it can be read \(.*EACCES\)$/)
  const broken = { ...host, readdir: () => Promise.reject(new Error("no")) }
  assert.equal((await listWorkspace(broken, options)).cut, "it cannot be listed")
})

test("a listing that takes longer than its time is cut", async () => {
  const clock = manualClock()
  const memory = createMemoryHost({ files: { "/work/a": "", "/work/d/b": "" } })
  const host: Host = {
    ...memory,
    async readdir(path) {
      if (path === "/work/d") await clock.advance(301)
      return memory.readdir(path)
    },
  }
  const { files, cut } = await listWorkspace(host, {
    folder: "/work",
    place: { cwd: "/work" },
    clock,
    maxFiles: 10,
    maxTime: 300,
  })
  assert.deepEqual([[...files.keys()], cut, clock.waiting], [["/work/a"], "a look at it takes longer than 300 ms", 0])
})

test("copies are stored up to the limits of one file and of all, and loaded if they have the size of the file", async () => {
  const host = createMemoryHost({
    files: { "/a": "x".repeat(100), "/b": "x".repeat(101), "/c": "x".repeat(50), "/d": "" },
  })
  const { copies, stored } = copiesOn(host, { maxBytes: 150 })
  const keep = async (path: string) => copies.keep(path, await statOf(host, path))
  const [a, b, c, d] = [await keep("/a"), await keep("/b"), await keep("/c"), await keep("/d")]
  assert.deepEqual(
    [a.copy, b.copy, c.copy, d.copy],
    [{ kept: "sha256-0" }, null, { kept: "sha256-1" }, { kept: "sha256-2" }],
  )
  assert.deepEqual(stored.sizes(), [100, 50, 0])
  assert.equal((await copies.keep("/a", { ...a.stat, size: 1 })).copy, null, "151 bytes in all")
  const loaded = await copies.load([
    ["/a", a],
    ["/b", b],
    ["/c", { ...c, stat: { ...c.stat, size: 51 } }],
    ["/x", { stat: a.stat, copy: { kept: "sha256-9" } }],
  ])
  assert.deepEqual([...loaded.keys()], ["/a"])
})

test("a file that changed meanwhile, or cannot be read, has no copy", async () => {
  const host = createMemoryHost({ files: { "/a": "abc" } })
  const { copies } = copiesOn(host)
  const stat = await statOf(host, "/a")
  assert.equal((await copies.keep("/a", { ...stat, size: 4 })).copy, null)
  assert.equal((await copies.keep("/none", stat)).copy, null)
})

test("first copies: what git holds is not copied; others the newest first, until the time is up", async () => {
  let now = 0
  const host = createMemoryHost({ files: { "/old": "1", "/new": "2", "/git": "3" } })
  const order: string[] = []
  const copies = {
    async keep(path: string, stat: HostStat): Promise<Known> {
      order.push(path)
      now += 300
      return { stat, copy: { kept: path } }
    },
    load: async () => new Map<string, Uint8Array>(),
  }
  const files = new Map(
    await Promise.all(["/old", "/new", "/git"].map(async (path) => [path, await statOf(host, path)] as const)),
  )
  const clean = new Map([["/git", "blob"]])
  const run = (maxTime: number) =>
    firstCopies(files, clean, copies, { clock: { ...manualClock(), now: () => now }, maxTime })
  const known = await run(300)
  assert.deepEqual(order, ["/new", "/old"])
  assert.deepEqual(known.get("/git")?.copy, { blob: "blob" })
  order.length = 0
  const late = await run(299)
  assert.deepEqual([order, late.get("/old")?.copy], [["/new"], null])
})

/** The state of a workspace with these files, all of which are known. */
async function known(files: Readonly<Record<string, string>>, copied = true) {
  const host = createMemoryHost({ files })
  const { copies, stored } = copiesOn(host)
  const all = new Map<string, Known>()
  for (const path of Object.keys(files)) {
    const stat = await statOf(host, path)
    all.set(path, copied ? await copies.keep(path, stat) : { stat, copy: null })
  }
  const state: State = { host, artifacts: stored, copies, known: all, cut: null }
  const listed = async () => {
    const paths = (await host.readdir("/work")).map(({ name }) => `/work/${name}`)
    return new Map(await Promise.all(paths.map(async (path) => [path, await statOf(host, path)] as const)))
  }
  return { host, state, listed }
}

const runs = (callId: string | null = "c") => ({ callAt: () => callId }) as never

test("differences: new, changed, replaced and removed files, sorted; one that is only not listed is none", async () => {
  const { host, state, listed } = await known({ "/work/b": "1", "/work/c": "1", "/work/d": "1", "/work/e": "1" })
  await host.replaceFile("/work/b", Buffer.from("2"))
  await host.remove("/work/c")
  await host.replaceFile("/work/a", Buffer.from("new"))
  const files = await listed()
  files.delete("/work/d")
  const found = await differences(state, files)
  assert.deepEqual(
    found.map(({ path, before, now }) => [path, before !== null, now !== null]),
    [
      ["/work/a", false, true],
      ["/work/b", true, true],
      ["/work/c", true, false],
    ],
  )
  const stat = await statOf(host, "/work/e")
  for (const other of [{ id: "x" }, { size: 99 }, { mtimeMs: -1 }, { ctimeMs: -1 }]) {
    const changed = new Map([...(await listed()), ["/work/e", { ...stat, ...other }] as const])
    assert.ok((await differences(state, changed)).some(({ path }) => path === "/work/e"))
  }
})

test("changes of commands have the content before and after, and their lines; the next scan starts from them", async () => {
  const { host, state, listed } = await known({ "/work/b": "1\n2\n", "/work/c": "x\n", "/work/same": "s" })
  await host.replaceFile("/work/b", Buffer.from("1\n3\n4\n"))
  await host.remove("/work/c")
  await host.replaceFile("/work/a", Buffer.from("new\n"))
  await host.replaceFile("/work/same", Buffer.from("s"))
  const options = { runs: runs(), cwd: "/work", clock: manualClock(), maxTime: 1_000 }
  const { changes, cut } = await changesOf(state, await differences(state, await listed()), options)
  assert.equal(cut, null)
  assert.deepEqual(
    changes.map(({ callId, path, beforeText, after, file }) => [
      callId,
      path,
      beforeText ?? null,
      after === null,
      file,
    ]),
    [
      ["c", "/work/a", null, false, { change: "created", added: 1, removed: 0, path: "a" }],
      ["c", "/work/b", "1\n2\n", false, { change: "modified", added: 2, removed: 1, path: "b" }],
      ["c", "/work/c", "x\n", true, { change: "deleted", added: 0, removed: 1, path: "c" }],
    ],
  )
  assert.deepEqual(await differences(state, await listed()), [])
})

test("changes of nobody are known and not reported; without a copy only the times tell", async () => {
  const { host, state, listed } = await known({ "/work/b": "1" })
  await host.replaceFile("/work/b", Buffer.from("2"))
  const options = { runs: runs(null), cwd: "/work", clock: manualClock(), maxTime: 1_000 }
  assert.deepEqual((await changesOf(state, await differences(state, await listed()), options)).changes, [])
  assert.deepEqual(await differences(state, await listed()), [])
  const bare = await known({ "/work/b": "1" }, false)
  await bare.host.replaceFile("/work/b", Buffer.from("2"))
  const found = await differences(bare.state, await bare.listed())
  const { changes } = await changesOf(bare.state, found, { ...options, runs: runs() })
  assert.deepEqual(
    changes.map(({ file, beforeText }) => [file, beforeText]),
    [[{ change: "modified", added: 0, removed: 0, path: "b" }, undefined]],
  )
  const [one] = found
  assert.ok(one?.before && one.now)
  const same = { ...one, now: { ...one.now, mtimeMs: one.before.stat.mtimeMs } }
  bare.state.known.set("/work/b", one.before)
  assert.deepEqual((await changesOf(bare.state, [same], { ...options, runs: runs() })).changes, [])
})

test("a changed file of up to 64 MB has its hash, a larger one has not", async () => {
  const { host, state } = await known({ "/work/a": "1" })
  const before = state.known.get("/work/a") ?? assert.fail()
  const options = { runs: runs(), cwd: "/work", clock: manualClock(), maxTime: 1_000 }
  const limit = 64 * 1024 * 1024
  const after = async (size: number) => {
    const large: Host = { ...host, readRange: async () => Buffer.from("2\n") }
    const now: HostStat = { ...before.stat, size }
    const found = [{ path: "/work/a", before, now }]
    const { changes } = await changesOf({ ...state, host: large }, found, options)
    return changes.map((change) => [change.after?.length ?? null, change.beforeText, change.file])
  }
  const modified = { change: "modified", path: "a" }
  assert.deepEqual(await after(limit), [[64, "1", { ...modified, added: 1, removed: 1 }]])
  assert.deepEqual(await after(limit + 1), [[null, undefined, { ...modified, added: 0, removed: 0 }]])
})

test("when the time is up, 16 changed files are kept, and the others are counted", async () => {
  const names = Array.from({ length: 18 }, (_, at) => `/work/f${`${at}`.padStart(2, "0")}`)
  const { host, state, listed } = await known(Object.fromEntries(names.map((name) => [name, "1"])))
  for (const name of names) await host.replaceFile(name, Buffer.from("2"))
  let now = 0
  const clock = { ...manualClock(), now: () => (now += 1) }
  const found = await differences(state, await listed())
  const { changes, cut } = await changesOf(state, found, { runs: runs(), cwd: "/work", clock, maxTime: 0 })
  assert.deepEqual([changes.length, cut], [16, "commands changed 2 more files than there was time to keep"])
  assert.deepEqual([state.known.get("/work/f17")?.copy, state.known.get("/work/f15")?.copy !== null], [null, true])
})
