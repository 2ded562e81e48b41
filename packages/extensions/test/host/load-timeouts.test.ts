import assert from "node:assert/strict"
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { phrase } from "@gong/spec"
import { folder } from "@gong/testing/folder"
import { filesOf, mentionsGate } from "../../src/failed-gate.ts"
import { loadTimeouts } from "../../src/host/load-timeouts.ts"
import type { Problem, WorkerExtension } from "../../src/protocol.ts"

const problem: Problem = { message: phrase`it hung`, stack: "", path: null, line: null }

/** An extension in a folder, and the store of its timeouts. */
function opened(t: TestContext, files: Readonly<Record<string, string>>, entry: string) {
  const root = folder(t, files)
  mkdirSync(join(root, "cache"))
  const path = join(root, entry)
  const extension: WorkerExtension = { id: 0, name: "a", path, folder: root, boundary: null, settings: {} }
  const begin = {
    gong: "0",
    cwd: root,
    workspace: root,
    cache: join(root, "cache"),
    memory: null,
    extensions: [extension],
  }
  return {
    root,
    extension,
    begin,
    store: loadTimeouts(begin, "v24"),
    kept: () => readdirSync(join(root, "cache")),
    file: () => join(root, "cache", readdirSync(join(root, "cache"))[0] ?? ""),
  }
}

test("a timeout is remembered until it is deleted, in a private file", (t) => {
  const { store, extension, kept, file, begin } = opened(t, { "a.ts": "1" }, "a.ts")
  assert.equal(store.get(extension), null)
  store.set(extension, problem)
  assert.match(kept().join(), /^late-[0-9a-f]+\.json$/)
  assert.equal(statSync(file()).mode & 0o777, 0o600)
  assert.deepEqual(store.get(extension), problem)
  assert.deepEqual(loadTimeouts(begin, "v24").get(extension), problem)
  assert.equal(loadTimeouts(begin, "v25").get(extension), null)
  store.delete(extension)
  assert.deepEqual([store.get(extension), kept()], [null, []])
  store.delete(extension)
})

test("a change of its files, or of the file that hung, forgets a timeout", (t) => {
  const files = { "e/index.ts": "1", "e/part.mjs": "1", "e/notes.md": "1", "lib/loop.ts": "1" }
  for (const [changed, remembered] of [
    ["e/index.ts", false],
    ["e/part.mjs", false],
    ["lib/loop.ts", false],
    ["e/notes.md", true],
    ["lib/other.ts", true],
  ] as const) {
    const { root, store, extension } = opened(t, files, "e/index.ts")
    store.set(extension, { ...problem, path: join(root, "lib/loop.ts") })
    writeFileSync(join(root, changed), "2")
    assert.equal(store.get(extension) !== null, remembered, changed)
  }
  const gone = opened(t, files, "e/index.ts")
  gone.store.set(gone.extension, problem)
  rmSync(join(gone.root, "e/part.mjs"))
  assert.equal(gone.store.get(gone.extension), null)
})

test("an unreadable memory is none", (t) => {
  const { store, extension, file } = opened(t, { "a.ts": "1" }, "a.ts")
  store.set(extension, problem)
  const stored = JSON.parse(readFileSync(file(), "utf8")) as Readonly<Record<string, unknown>>
  const path = file()
  const files = stored["files"] as readonly unknown[]
  for (const [value, valid] of [
    [stored, true],
    [{ ...stored, problem: { message: "text", stack: "" } }, true],
    [null, false],
    [{ ...stored, problem: null }, false],
    [{ ...stored, problem: { message: 1, stack: "" } }, false],
    [{ ...stored, problem: { message: {}, stack: "" } }, false],
    [{ ...stored, problem: { message: "text" } }, false],
    [{ ...stored, files: {} }, false],
    [{ ...stored, files: ["ab"] }, false],
    [{ ...stored, files: [[...(files[0] as readonly unknown[]), 1]] }, false],
  ] as const) {
    writeFileSync(path, JSON.stringify(value))
    assert.equal(store.get(extension) !== null, valid, JSON.stringify(value))
  }
})

test("without a folder nothing is remembered, and a folder that is gone is no failure", (t) => {
  const { root, begin, extension, store } = opened(t, { "a.ts": "1" }, "a.ts")
  const none = loadTimeouts({ ...begin, cache: null }, "v24")
  none.set(extension, problem)
  none.delete(extension)
  assert.equal(none.get(extension), null)
  rmSync(join(root, "cache"), { recursive: true })
  store.set(extension, problem)
  assert.equal(store.get(extension), null)
})

test("the code of an extension is its file, or the code in the folder of its index", (t) => {
  const root = folder(t, {
    "index.ts": "",
    "b.mts": "",
    "c.js": "",
    "d.mjs": "",
    "e.json": "",
    "f.tsx": "",
    "sub/g.ts": "",
  })
  const names = (entry: string) => filesOf(join(root, entry)).map((path) => path.slice(root.length + 1))
  assert.deepEqual(names("c.js"), ["c.js"])
  assert.deepEqual(names("index.ts").toSorted(), ["b.mts", "c.js", "d.mjs", "index.ts"])
  assert.deepEqual(filesOf("/none/index.ts"), ["/none/index.ts"])
  const many = folder(t, Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}.ts`, ""])))
  assert.equal(filesOf(join(many, "index.ts")).length, 100)
})

test("a gate is mentioned in any code of an extension of up to 2 MB; what cannot be read mentions none", (t) => {
  const gate = "beforeToolCall"
  const root = folder(t, {
    "a.ts": "x",
    "b.ts": `x ${gate} x`,
    "c.ts": gate.padEnd(2_000_000),
    "d.ts": gate.padEnd(2_000_001),
    "e/index.ts": "x",
    "e/part.ts": gate,
  })
  assert.deepEqual(
    ["a.ts", "b.ts", "c.ts", "d.ts", "e/index.ts", "none.ts"].map((name) => mentionsGate(join(root, name))),
    [false, true, true, false, true, false],
  )
})
