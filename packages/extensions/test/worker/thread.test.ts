import assert from "node:assert/strict"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import { maxMemory, type StoredLoad } from "../../src/host/memory.ts"

const source = (name: string) => new URL(`../../src/worker/${name}.ts`, import.meta.url).href

/** Coverage of a thread is written if its own environment says so. */
const { NODE_V8_COVERAGE: reports } = process.env
const coverage = reports === undefined ? {} : { NODE_V8_COVERAGE: reports }

/** Runs code in a separate thread with its own environment and streams; returns its result. */
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
  /** Null: nothing is remembered. */
  readonly file: string | null
  /** Code that runs while the extensions are loaded. */
  readonly run?: string
  readonly registrations?: unknown
}

const kinds = { tools: [], commands: [], hooks: [], providers: [], renderers: [], events: [], resources: {} }

/** Loads in sequence in one thread; returns the file and the environment after each of them. */
async function remember(...loads: readonly Load[]) {
  const code = `const { createLoadRecorder } = await import(given.source)
    const { existsSync, readFileSync, statSync } = require("node:fs")
    return given.loads.map(({ file, run = "", registrations }) => {
      const { loaded, end } = createLoadRecorder(file)
      new Function("look", "loaded", run)(() => process.env, loaded)
      end(registrations)
      loaded(given.later, null)
      const env = [process.env.A, Object.keys(process.env).length]
      return file === null || !existsSync(file) ? { env, kept: null } : { env, kept: JSON.parse(readFileSync(file, "utf8")), written: String(statSync(file, { bigint: true }).ctimeNs) }
    })`
  const later = pathToFileURL("/never/read.ts").href
  const all = loads.map((load) => ({ registrations: [[0, kinds]], ...load }))
  const env = { A: "1", B: "2" }
  return (await inThread(code, { loads: all, source: source("remember"), later }, env)) as readonly {
    readonly env: unknown
    readonly kept: StoredLoad | null
    readonly written?: string
  }[]
}

test("files and variables that a load used are stored with its registrations", async (t) => {
  const folder = folderOf(t)
  const [file, read] = [join(folder, "memory.json"), join(folder, "b.mjs")]
  writeFileSync(read, "text of b")
  const run = `look().B; "NONE" in look(); Object.getOwnPropertyDescriptor(look(), "A"); look().A; look()[Symbol.iterator]
    loaded(${JSON.stringify(pathToFileURL(read).href)}, null); loaded("file:///a.ts", "given"); loaded("file:///c.json", "{}")
    loaded("node:fs", null); loaded("data:text/javascript,1", null)`
  const [before, after] = await remember({ file: null, run: "look().A" }, { file, run })
  assert.deepEqual(after?.env, before?.env, "the environment is the same behind it")
  assert.ok(after?.kept)
  const { loads, files, env, registrations } = after.kept
  assert.deepEqual([loads, registrations], [1, [[0, kinds]]])
  const others = [
    ["/a.ts", "given"],
    ["/c.json", "{}"],
  ]
  assert.deepEqual(files, [...others, [read, "text of b"]])
  assert.deepEqual(
    env.map(([name]) => name),
    ["A", "B", "NONE"],
  )
  const [one, two, none] = env.map(([, digest]) => digest)
  assert.deepEqual([one === two, typeof one, typeof two, none], [false, "string", "string", null])
  assert.deepEqual([statSync(file).mode & 0o777, readdirSync(folder).length], [0o600, 2])
})

test("equal loads are counted up to two; a different result resets to zero, different files to one", async (t) => {
  const file = join(folderOf(t), "memory.json")
  const one = { file, run: 'loaded("file:///a.ts", "one"); look().A' }
  const other = { ...one, registrations: [[0, { ...kinds, tools: [1] }]] }
  const files = { file, run: 'loaded("file:///a.ts", "two"); look().A' }
  const env = { file, run: 'loaded("file:///a.ts", "two"); look().B' }
  const all = await remember(one, one, one, other, other, files, env, env, env)
  assert.deepEqual(
    all.map(({ kept }) => kept?.loads),
    [1, 2, 2, 0, 0, 1, 1, 2, 2],
  )
  assert.equal(all[1]?.written, all[2]?.written, "what would be the same is not written")
})

test("nothing is stored if a dependency is unknown, a load failed, or the record is too large", async (t) => {
  const folder = folderOf(t)
  const file = join(folder, "memory.json")
  const rows: readonly Omit<Load, "file">[] = [
    { run: "Object.keys(look())" },
    { run: "Object.keys(look()); look().A" },
    { run: 'loaded("file:///a.wasm", null)' },
    { run: 'loaded("file:///a.wasm", null); look().A' },
    { registrations: null },
    { run: `loaded("file:///a.ts", "x".repeat(${maxMemory}))` },
  ]
  const all = await remember(...rows.flatMap((row) => [{ file }, { file, ...row }]))
  assert.deepEqual(
    all.map(({ kept }) => kept !== null),
    rows.flatMap(() => [true, false]),
  )
  await remember({ file: join(folder, "no/memory.json") })
  assert.deepEqual(readdirSync(folder), [])
})

const capturing = `const { captureOutput } = await import(given.source)
  const printed = []
  let extension = 1
  captureOutput(() => extension, (of, text) => void printed.push([of, text]))
  const fs = require("node:fs")`

/** Output of code that runs with captured output. */
function printed(code: string, given: object = {}): Promise<unknown> {
  return inThread(`${capturing}\n${code}`, { ...given, source: source("output") })
}

test("output of extensions through streams and descriptors is captured with its extension", async () => {
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

test("4,000 characters of output of each extension are captured; a cut is marked", async () => {
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

test("writes to other descriptors are not captured", async (t) => {
  const file = join(folderOf(t), "out")
  const code = `const fd = fs.openSync(given.file, "w")
    fs.writeSync(fd, "one ")
    await new Promise((resolve) => fs.write(fd, "two", resolve))
    fs.closeSync(fd)
    return printed`
  assert.deepEqual(await printed(code, { file }), [])
  assert.equal(readFileSync(file, "utf8"), "one two")
})
