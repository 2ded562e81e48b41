import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { pathToFileURL } from "node:url"
import { loadModules } from "../../src/worker/modules.ts"
import { sha256 } from "@gong/config/trust/folder-files"
import { whileSwapping } from "@gong/testing/swapper"

// The loader hooks apply to this process: modules from `fenced` must have their trusted content.

const root = realpathSync(mkdtempSync(join(tmpdir(), "gong-modules-")))
process.on("exit", () => rmSync(root, { recursive: true, force: true }))
const fenced = join(root, "fenced")
const open = join(root, "open")
for (const folder of [fenced, open]) mkdirSync(folder)

const esm = { good: 'export default "good"\n', evil: 'export default "evil"\n' }
const cjs = { good: 'module.exports = "good"\n', evil: 'module.exports = "evil"\n' }
const native = `module.exports = require("./part.node")\n`

const trusted: Readonly<Record<string, string>> = {
  "swapped.ts": esm.good,
  "swapped.mjs": esm.good,
  "swapped.cjs": cjs.good,
  "importing.ts": 'import value from "./part.mjs"\nexport default value\n',
  "part.mjs": esm.good,
  "requiring.cjs": 'module.exports = require("./part.cjs")\n',
  "part.cjs": cjs.good,
  "importing-too.ts": 'import value from "./part-too.mjs"\nexport default value\n',
  "part-too.mjs": esm.good,
  "requiring-too.cjs": 'module.exports = require("./part-too.cjs")\n',
  "part-too.cjs": cjs.good,
  "linked.ts": esm.good,
  "native.cjs": native,
  "part.node": "",
  "data.json": '"good"',
}
for (const [name, text] of Object.entries(trusted))
  for (const folder of [fenced, open]) writeFileSync(join(folder, name), text)
loadModules(
  null,
  [
    {
      folder: fenced,
      files: new Map(Object.entries(trusted).map(([name, text]) => [join(fenced, name), sha256(text)])),
    },
  ],
  () => undefined,
)

let loads = 0

/** The exports of a freshly loaded module; null if it does not have its trusted content. */
async function load(path: string): Promise<unknown> {
  try {
    // An import would be cached, whatever query follows.
    if (path.endsWith(".cjs")) return requireAnew(path)
    const module = (await import(`${pathToFileURL(path).href}?${(loads += 1)}`)) as { readonly default: unknown }
    return module.default
  } catch (error) {
    const text = String(error)
    // During the swap the file may be missing or already replaced.
    if (/is not as it was when this folder was trusted|lies outside of|ENOENT|Cannot find module/.test(text))
      return null
    throw error
  }
}

function requireAnew(path: string): unknown {
  const require = createRequire(path)
  delete require.cache[path]
  return require(path)
}

async function swapping(name: string, { good, evil }: typeof esm): Promise<void> {
  const paths = [fenced, open].map((folder) => join(folder, name))
  const seen = { fenced: new Set<unknown>(), open: new Set<unknown>() }
  await whileSwapping({ good, evil, outside: join(root, `outside-${name}`), paths }, async () => {
    for (let count = 0; count < 200; count++) seen.fenced.add(await load(join(fenced, name)))
    for (let count = 0; count < 20_000 && !seen.open.has("evil"); count++) seen.open.add(await load(join(open, name)))
  })
  assert.equal(seen.fenced.has("evil"), false)
  assert.ok(seen.fenced.has("good"), "it is loaded where it is as it was")
  assert.ok(seen.open.has("evil"), "without a boundary another one is loaded")
}

test("[SAFE-20] a TypeScript extension that is constantly replaced runs with its trusted content or not at all", () =>
  swapping("swapped.ts", esm))
test("the same for JavaScript", () => swapping("swapped.mjs", esm))
test("the same for a CommonJS module", () => swapping("swapped.cjs", cjs))

test("relative imports and requires are verified against the trusted content as well", async () => {
  assert.equal(await load(join(fenced, "importing.ts")), "good")
  assert.equal(await load(join(fenced, "requiring.cjs")), "good")
  for (const folder of [fenced, open]) {
    writeFileSync(join(folder, "part-too.mjs"), esm.evil)
    writeFileSync(join(folder, "part-too.cjs"), cjs.evil)
  }
  for (const name of ["importing-too.ts", "requiring-too.cjs"]) {
    assert.equal(await load(join(fenced, name)), null)
    assert.equal(await load(join(open, name)), "evil")
  }
})

test("an extension replaced by a link to another file is not loaded", async () => {
  writeFileSync(join(root, "elsewhere.ts"), esm.evil)
  for (const folder of [fenced, open]) {
    rmSync(join(folder, "linked.ts"))
    symlinkSync(join(root, "elsewhere.ts"), join(folder, "linked.ts"))
  }
  assert.equal(await load(join(fenced, "linked.ts")), null)
  assert.equal(await load(join(open, "linked.ts")), "evil")
})

test("a native library of a repository is not loaded, since the system would read it again by its path", async () => {
  await assert.rejects(
    load(join(fenced, "native.cjs")),
    /"\.\/part\.node" is a native library, which a repository cannot bring/,
  )
  await assert.rejects(load(join(open, "native.cjs")), /file too short|invalid ELF|dlopen/)
})

test("data files of an extension are read with their trusted content", async () => {
  const json = (folder: string) =>
    import(`${pathToFileURL(join(folder, "data.json")).href}?${(loads += 1)}`, { with: { type: "json" } })
  assert.equal(((await json(fenced)) as { readonly default: unknown }).default, "good")
  writeFileSync(join(fenced, "data.json"), '"evil"')
  await assert.rejects(json(fenced), /is not as it was/)
})
