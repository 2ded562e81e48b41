import assert from "node:assert/strict"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import { maxMemory } from "../../../src/extensions/memory.ts"

const source = (name: string) => new URL(`../../../src/extensions/worker/${name}.ts`, import.meta.url).href

/** Coverage of a thread is written where its own environment says so. */
const { NODE_V8_COVERAGE: reports } = process.env
const coverage = reports === undefined ? {} : { NODE_V8_COVERAGE: reports }

/** Runs code in a thread of its own, whose environment and streams are no others' than its own; gives what it returns. */
function inThread(code: string, given: unknown, env: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const script = `const { parentPort, workerData: given } = require("node:worker_threads")
    ;(async () => { ${code} })().then(
      (value) => parentPort.postMessage({ value }),
      (error) => parentPort.postMessage({ error: String(error.stack) }))`
  const worker = new Worker(script, { eval: true, workerData: given, env: { ...env, ...coverage } })
  return new Promise((resolve, reject) => {
    let answer: { readonly value?: unknown; readonly error?: string } = {}
    worker.on("message", (message: typeof answer) => (answer = message))
    worker.on("error", reject)
    worker.on("exit", () => (answer.error === undefined ? resolve(answer.value) : reject(new Error(answer.error))))
  })
}

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "gong-thread-"))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Load {
  /** Code that an extension runs, which sees `env` and `loaded`. */
  readonly run?: string
  readonly offers?: unknown
}

const kinds = { tools: [], commands: [], hooks: [], providers: [], renderers: [], events: [], resources: {} }

/** One load in a thread that remembers in this file. */
function remember(file: string | null, { run = "", offers = [[0, kinds]] }: Load): Promise<unknown> {
  const code = `const { remembering } = await import(given.source)
    const { loaded, end } = remembering(given.file)
    const look = () => process.env
    ${run}
    end(given.offers)
    loaded(given.later, null)
    return [process.env.A, Object.keys(process.env).length]`
  const later = pathToFileURL("/never/read.ts").href
  return inThread(code, { file, offers, source: source("remember"), later }, { A: "1", B: "2" })
}

test("files and variables that a load used are kept with what it brought", async (t) => {
  const folder = folderOf(t)
  const [file, read] = [join(folder, "memory.json"), join(folder, "b.mjs")]
  writeFileSync(read, "text of b")
  const run = `look().B; "NONE" in look(); Object.getOwnPropertyDescriptor(look(), "A"); look().A; look()[Symbol.iterator]
    loaded(${JSON.stringify(pathToFileURL(read).href)}, null); loaded("file:///a.ts", "given"); loaded("file:///c.json", "{}")
    loaded("node:fs", null); loaded("data:text/javascript,1", null)`
  const before = await remember(null, { run: "look().A" })
  assert.deepEqual(await remember(file, { run }), before, "the environment is the same behind it")
  const { loads, files, env, offers } = JSON.parse(readFileSync(file, "utf8"))
  assert.deepEqual([loads, offers], [1, [[0, kinds]]])
  assert.deepEqual(
    files,
    [
      ["/a.ts", "given"],
      ["/c.json", "{}"],
      [read, "text of b"],
    ].toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
  )
  assert.deepEqual(
    env.map(([name]: readonly string[]) => name),
    ["A", "B", "NONE"],
  )
  assert.deepEqual([env[2][1], env[0][1] === env[1][1], typeof env[0][1]], [null, false, "string"])
  assert.deepEqual([statSync(file).mode & 0o777, readdirSync(folder).length], [0o600, 2])
})

test("equal loads are counted up to two; another result counts as none, other files as the first", async (t) => {
  const file = join(folderOf(t), "memory.json")
  const loads = async (load: Load) => {
    await remember(file, load)
    return JSON.parse(readFileSync(file, "utf8")).loads as number
  }
  const one = { run: 'loaded("file:///a.ts", "one"); look().A' }
  const other = { ...one, offers: [[0, { ...kinds, tools: [1] }]] }
  const counts = [await loads(one), await loads(one), await loads(one), await loads(other), await loads(other)]
  assert.deepEqual(counts, [1, 2, 2, 0, 0])
  assert.deepEqual([await loads({ run: 'loaded("file:///a.ts", "two"); look().A' })], [1])
  assert.deepEqual([await loads({ run: 'loaded("file:///a.ts", "two"); look().B' })], [1])
  const made = statSync(file)
  await remember(file, { run: 'loaded("file:///a.ts", "two"); look().B' })
  await remember(file, { run: 'loaded("file:///a.ts", "two"); look().B' })
  const second = statSync(file)
  await remember(file, { run: 'loaded("file:///a.ts", "two"); look().B' })
  assert.notEqual(second.ino, made.ino)
  assert.equal(statSync(file).ino, second.ino, "what would be the same is not written")
})

test("nothing is kept where not all dependencies are known, or one was not loaded, or there are too many", async (t) => {
  const folder = folderOf(t)
  const file = join(folder, "memory.json")
  for (const load of [
    { run: "Object.keys(look())" },
    { run: "Object.keys(look()); look().A" },
    { run: 'loaded("file:///a.wasm", null)' },
    { run: 'loaded("file:///a.wasm", null); look().A' },
    { offers: null },
    { run: `loaded("file:///a.ts", "x".repeat(${maxMemory}))` },
  ]) {
    await remember(file, {})
    assert.deepEqual(readdirSync(folder), ["memory.json"])
    await remember(file, load)
    assert.deepEqual(readdirSync(folder), [], JSON.stringify(load))
  }
  await remember(join(folder, "no/memory.json"), {})
  assert.deepEqual(readdirSync(folder), [])
})

const capturing = `const { captureOutput } = await import(given.source)
  const printed = []
  let extension = 1
  captureOutput(() => extension, (of, text) => void printed.push([of, text]))
  const fs = require("node:fs")`

/** What is printed by code that runs with its output captured. */
function printed(code: string, given: object = {}): Promise<unknown> {
  return inThread(`${capturing}\n${code}`, { ...given, source: source("output") })
}

test("what extensions print by streams and descriptors is told with whose it is", async () => {
  const code = `const done = []
    done.push(process.stdout.write("a"), process.stderr.write("b"))
    extension = null
    const [first, second] = [Buffer.from("é").subarray(0, 1), Buffer.from("é").subarray(1)]
    process.stdout.write(first); process.stdout.write(second)
    process.stdout.write("c", () => done.push("c")); process.stdout.write("d", "utf8", (error) => done.push(error))
    done.push(fs.writeSync(1, "é"), fs.writeSync(2, Buffer.from("xyz")))
    await new Promise((resolve) => fs.write(1, "é", (...args) => (done.push(args), resolve())))
    fs.write(2, Buffer.from("q"), () => undefined)
    return [printed, done]`
  assert.deepEqual(await printed(code), [
    [
      [1, "a"],
      [1, "b"],
      [null, ""],
      [null, "é"],
      [null, "c"],
      [null, "d"],
      [null, "é"],
      [null, "xyz"],
      [null, "é"],
      [null, "q"],
    ],
    [true, true, 2, 3, "c", null, [null, 2, "é"]],
  ])
})

test("4,000 characters of each extension are told; a text that is cut there says so", async () => {
  const code = `const sizes = () => printed.splice(0).map(([of, text]) => [of, text.length > 30 ? text.length : text])
    process.stdout.write("x".repeat(3999)); process.stdout.write("y"); const exact = sizes()
    process.stdout.write("z"); process.stdout.write("z"); const behind = sizes()
    extension = 2
    process.stdout.write("x".repeat(5000)); process.stderr.write("z")
    return [exact, behind, sizes()]`
  const left = "\n[more is left out]\n"
  assert.deepEqual(await printed(code), [
    [
      [1, 3999],
      [1, "y"],
    ],
    [],
    [
      [2, 4000],
      [2, left],
    ],
  ])
})

test("other descriptors are written to as before", async (t) => {
  const file = join(folderOf(t), "out")
  const code = `const fd = fs.openSync(given.file, "w")
    fs.writeSync(fd, "one ")
    await new Promise((resolve) => fs.write(fd, "two", resolve))
    fs.closeSync(fd)
    return printed`
  assert.deepEqual(await printed(code, { file }), [])
  assert.equal(readFileSync(file, "utf8"), "one two")
})
