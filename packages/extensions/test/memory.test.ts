import assert from "node:assert/strict"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { loadTimeouts } from "../src/host/load-timeouts.ts"
import { filesOf, mentionsGate } from "../src/failed-gate.ts"
import {
  digestOf,
  memoryFile,
  readCacheFile,
  readMemory,
  recallRegistrations,
  setKey,
  textOf,
} from "../src/host/memory.ts"

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "gong-memory-"))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const registrations = { tools: [], commands: [], hooks: [], providers: [], renderers: [], events: [], resources: {} }
const extension = { id: 0, name: "x", path: "/x/x.ts", folder: "/x", boundary: null, settings: {} }
const begin = { gong: "1", cwd: "/w", workspace: "/w", cache: null, memory: null, extensions: [extension] }

test("registrations are recalled while files and variables are unchanged and two loads agreed", (t) => {
  const folder = folderOf(t)
  const [file, code] = [join(folder, "memory.json"), join(folder, "x.ts")]
  writeFileSync(code, "one")
  const memory = {
    files: [[code, "one"]],
    env: [
      ["A", digestOf("a")],
      ["B", null],
    ],
    registrations: [[0, registrations]],
    loads: 2,
  }
  const keep = (more: object): void => writeFileSync(file, JSON.stringify({ ...memory, ...more }))
  keep({})
  assert.deepEqual(recallRegistrations(file, { A: "a" }), new Map([[0, registrations]]))
  assert.equal(recallRegistrations(file, { A: "b" }), null)
  assert.equal(recallRegistrations(file, {}), null)
  assert.equal(recallRegistrations(file, { A: "a", B: "" }), null)
  writeFileSync(code, "two")
  assert.equal(recallRegistrations(file, { A: "a" }), null)
  writeFileSync(code, "one")
  keep({ loads: 1 })
  assert.equal(recallRegistrations(file, { A: "a" }), null)
  assert.notEqual(readMemory(file), null)
  for (const broken of [
    { loads: "2" },
    { files: 1 },
    { files: [["a"]] },
    { env: [1] },
    { registrations: [[0, {}]] },
    { registrations: [[0]] },
    { registrations: [[0, { ...registrations, hooks: 1 }]] },
    { registrations: [[0, null]] },
  ]) {
    keep(broken)
    assert.equal(readMemory(file), null, JSON.stringify(broken))
  }
  writeFileSync(file, "null")
  assert.equal(readMemory(file), null)
  assert.equal(recallRegistrations(join(folder, "none.json"), {}), null)
})

test("cache files are read up to a limit, and only regular files", (t) => {
  const folder = folderOf(t)
  const file = join(folder, "a.json")
  writeFileSync(file, "[1,2]")
  assert.deepEqual(readCacheFile(file), [1, 2])
  assert.deepEqual(readCacheFile(file, 5), [1, 2])
  assert.equal(readCacheFile(file, 4), null)
  assert.equal(textOf(folder), null)
  assert.equal(textOf(join(folder, "none")), null)
  writeFileSync(file, "{")
  assert.equal(readCacheFile(file), null)
})

test("different texts have different digests, and the key of a set covers all its inputs", () => {
  assert.equal(digestOf(""), "811c9dc501000193")
  assert.equal(digestOf("a"), digestOf("a"))
  const texts = ["", "a", "b", "ab", "ba", "aa", "\u0001", "中"]
  assert.equal(new Set(texts.map(digestOf)).size, texts.length)
  for (const text of texts) assert.match(digestOf(text), /^[0-9a-f]{16}$/)
  const key = setKey(begin, [extension], "v24")
  const others = [
    setKey({ ...begin, gong: "2" }, [extension], "v24"),
    setKey({ ...begin, cwd: "/v" }, [extension], "v24"),
    setKey({ ...begin, workspace: "/v" }, [extension], "v24"),
    setKey(begin, [extension], "v25"),
    setKey(begin, [], "v24"),
    setKey(begin, [{ ...extension, name: "y" }], "v24"),
    setKey(begin, [{ ...extension, path: "/y" }], "v24"),
    setKey(begin, [{ ...extension, settings: { a: 1 } }], "v24"),
  ]
  assert.equal(new Set([key, ...others]).size, 9)
  assert.equal(setKey(begin, [{ ...extension, id: 7 }], "v24"), key)
  assert.equal(memoryFile("/cache", begin, "v24"), `/cache/known-${key}.json`)
})

test("an extension whose load timed out is recognized by the content of its files", (t) => {
  const cache = folderOf(t)
  const code = join(cache, "index.ts")
  writeFileSync(code, "one")
  const late = { ...extension, path: code }
  const memory = loadTimeouts({ ...begin, cache }, "v24")
  const problem = { message: "it hung", stack: "", path: null, line: null }
  assert.equal(memory.get(late), null)
  memory.set(late, problem)
  assert.deepEqual(memory.get(late), problem)
  assert.equal(memory.get({ ...late, name: "y" }), null)
  writeFileSync(code, "two")
  assert.equal(memory.get(late), null)
  writeFileSync(code, "one")
  assert.deepEqual(memory.get(late), problem)
  writeFileSync(join(cache, "b.mjs"), "named by its problem")
  memory.set(late, { ...problem, path: join(cache, "b.mjs") })
  rmSync(join(cache, "b.mjs"))
  assert.equal(memory.get(late), null)
  memory.set(late, problem)
  memory.delete(late)
  assert.equal(memory.get(late), null)
  const file = join(cache, `late-${setKey(begin, [late], "v24")}.json`)
  for (const broken of [
    "{}",
    "[]",
    '{"files":[],"problem":{"message":1,"stack":""}}',
    '{"files":[],"problem":{"message":"","stack":1}}',
    '{"files":1,"problem":{"message":"","stack":""}}',
    '{"files":[[1]],"problem":{"message":"","stack":""}}',
  ]) {
    writeFileSync(file, broken)
    assert.equal(memory.get(late), null, broken)
  }
  const none = loadTimeouts(begin, "v24")
  none.set(late, problem)
  none.delete(late)
  assert.equal(none.get(late), null)
  loadTimeouts({ ...begin, cache: join(cache, "nowhere") }, "v24").set(late, problem)
})

test("the code of an extension is its file, or the files beside an index; a gate is found in any of them", (t) => {
  const folder = folderOf(t)
  for (const [name, text] of Object.entries({
    "index.ts": "",
    "a.js": "",
    "b.mts": "beforeToolCall",
    "c.json": "",
    "d.md": "beforeToolCall",
  }))
    writeFileSync(join(folder, name), text)
  const index = join(folder, "index.ts")
  assert.deepEqual(
    filesOf(index).toSorted(),
    ["a.js", "b.mts", "index.ts"].map((name) => join(folder, name)),
  )
  assert.deepEqual(filesOf(join(folder, "a.js")), [join(folder, "a.js")])
  assert.deepEqual(filesOf("/nowhere/index.ts"), ["/nowhere/index.ts"])
  assert.deepEqual(
    [mentionsGate(index), mentionsGate(join(folder, "a.js")), mentionsGate("/nowhere/x.ts")],
    [true, false, false],
  )
})
