import assert from "node:assert/strict"
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { pathToFileURL } from "node:url"
import { digestOf } from "../../src/host/memory.ts"
import { maxSource } from "../../src/protocol.ts"
import { loadModules } from "../../src/worker/modules.ts"

// The loader hooks apply to this process.

const root = realpathSync(mkdtempSync(join(tmpdir(), "gong-copies-")))
process.on("exit", () => rmSync(root, { recursive: true, force: true }))
const cache = join(root, "cache")
const files = join(root, "files")
for (const folder of [cache, files]) mkdirSync(folder)
const seen: (readonly [url: string, source: string | null])[] = []
loadModules(cache, [], (url, source) => void seen.push([url, source]))

const pathOf = (name: string) => join(files, name)
const copyOf = (name: string) => join(cache, `copy-${digestOf(`${process.version}\0${pathOf(name)}`)}.json`)
const keptOf = (name: string) => JSON.parse(readFileSync(copyOf(name), "utf8")) as unknown

/** The default export of a file that was not loaded before. */
async function load(name: string, text: string): Promise<unknown> {
  writeFileSync(pathOf(name), text)
  const module = (await import(pathToFileURL(pathOf(name)).href)) as { readonly default: unknown }
  return module.default
}

const typed = (value: string) => `const value: string = "${value}"\nexport default value\n`
const bare = (value: string) => `const value         = "${value}"\nexport default value\n`

test("a TypeScript module is stored with its code, in which types are blanks", async () => {
  for (const name of ["first.ts", "first.mts"]) {
    assert.equal(await load(name, typed("one")), "one")
    assert.deepEqual(keptOf(name), { source: typed("one"), code: bare("one") })
  }
  assert.deepEqual(
    readdirSync(cache).filter((name) => name.endsWith(".tmp")),
    [],
  )
})

test("the stored code of the same source runs, and that of another source is replaced", async () => {
  writeFileSync(copyOf("same.ts"), JSON.stringify({ source: typed("one"), code: bare("stored") }))
  assert.equal(await load("same.ts", typed("one")), "stored")
  writeFileSync(copyOf("other.ts"), JSON.stringify({ source: typed("one"), code: bare("stored") }))
  assert.equal(await load("other.ts", typed("two")), "two")
  assert.deepEqual(keptOf("other.ts"), { source: typed("two"), code: bare("two") })
})

test("a copy that cannot be read is compiled again", async () => {
  const broken = [
    "",
    "null",
    "[]",
    JSON.stringify({ source: typed("one") }),
    JSON.stringify({ source: typed("one"), code: 5 }),
  ]
  for (const [at, copy] of broken.entries()) {
    const name = `broken-${at}.ts`
    writeFileSync(copyOf(name), copy)
    assert.equal(await load(name, typed("one")), "one", copy)
    assert.deepEqual(keptOf(name), { source: typed("one"), code: bare("one") })
  }
})

test("JavaScript is not stored, and each loaded module is reported, TypeScript with its source", async () => {
  const before = readdirSync(cache).length
  assert.equal(await load("plain.mjs", "export default 1\n"), 1)
  assert.equal(readdirSync(cache).length, before)
  const sources = Object.fromEntries(seen.map(([url, source]) => [url.split("/").at(-1), source]))
  assert.equal(sources["first.ts"], typed("one"))
  assert.equal(sources["plain.mjs"], null)
})

test("an error of syntax names the file and the line", async () => {
  const broken = load("syntax.ts", "const one = 1\nconst two: = 2\n")
  const error: unknown = await broken.catch((thrown: unknown) => thrown)
  assert.ok(error instanceof SyntaxError)
  assert.equal(error.stack, `SyntaxError: ${error.message}\n    at ${pathOf("syntax.ts")}:2`)
  assert.ok(error.message.length > 0 && !readdirSync(cache).includes(copyOf("syntax.ts")))
})

test("a source of 2,000,000 characters is loaded, one of a character more is refused", async () => {
  const start = "export default 1\n//"
  const longest = start + "x".repeat(maxSource - start.length)
  assert.equal(await load("longest.ts", longest), 1)
  assert.equal((keptOf("longest.ts") as { readonly source: string }).source.length, 2_000_000)
  await assert.rejects(load("longer.ts", `${longest}x`), {
    message: `${pathOf("longer.ts")} has 2000001 characters; 2000000 are the most. Split it`,
  })
})

test("at most 500 copies are kept; the oldest are dropped", async () => {
  for (const name of readdirSync(cache)) rmSync(join(cache, name))
  const old = (at: number) => join(cache, `old-${at}.json`)
  for (let at = 0; at < 499; at++) {
    writeFileSync(old(at), "{}")
    utimesSync(old(at), 1_000 + at, 1_000 + at)
  }
  await load("five-hundredth.ts", typed("one"))
  assert.equal(readdirSync(cache).length, 500)
  await load("one-more.ts", typed("one"))
  const left = readdirSync(cache)
  assert.equal(left.length, 500)
  assert.deepEqual([left.includes("old-0.json"), left.includes("old-1.json")], [false, true])
  assert.deepEqual(keptOf("one-more.ts"), { source: typed("one"), code: bare("one") })
})

test("modules are loaded where nothing can be stored", async () => {
  rmSync(cache, { recursive: true })
  assert.equal(await load("unstored.ts", typed("one")), "one")
})
