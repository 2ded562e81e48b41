import assert from "node:assert/strict"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { pruneCaches, sizeOfToolCaches } from "../../src/compose/sandbox/prune-caches.ts"
import { toolCaches } from "../../src/compose/sandbox/tool-caches.ts"

const day = 24 * 3_600_000

function homeOf(t: TestContext): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "gong-tool-caches-")))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  return home
}

test("each repository has its own stable tool caches, and none where others could write to them", (t) => {
  const home = homeOf(t)
  const one = toolCaches(home, "/work/a b/shop")
  assert.match(one ?? "", /\/cache\/tools\/shop-[0-9a-f]{16}$/)
  assert.equal(toolCaches(home, "/work/a b/shop"), one)
  assert.notEqual(toolCaches(home, "/other/shop"), one)
  assert.match(toolCaches(home, `/work/${"long name ".repeat(30)}`) ?? "", /\/long_name_[\w.-]{30}-[0-9a-f]{16}$/)
  chmodSync(join(home, "cache/tools"), 0o777)
  assert.equal(toolCaches(home, "/work/a b/shop"), null)
  assert.equal(toolCaches(join(home, "nowhere"), "/work/shop"), null)
  assert.equal(existsSync(join(home, "nowhere")), false, "a home is not made for it")
})

test("caches unused for 30 days are removed, and the oldest beyond 30; links in them are not followed", async (t) => {
  const home = homeOf(t)
  const tools = join(home, "cache/tools")
  const now = Date.now()
  const made = (name: string, age: number): string => {
    mkdirSync(join(tools, name, "home/go/pkg/mod"), { recursive: true })
    writeFileSync(join(tools, name, "home/go/pkg/mod/x.go"), "x")
    chmodSync(join(tools, name, "home/go/pkg/mod"), 0o500)
    utimesSync(join(tools, name), new Date(now - age), new Date(now - age))
    return name
  }
  mkdirSync(join(home, "mine"))
  writeFileSync(join(home, "mine/file"), "mine")
  const young = Array.from({ length: 32 }, (_, at) => made(`young-${at}`, at * 1000))
  made("old", 31 * day)
  symlinkSync(join(home, "mine"), join(tools, "old/home/link"))
  utimesSync(join(tools, "old"), new Date(now - 31 * day), new Date(now - 31 * day))
  await pruneCaches(home, now)
  assert.deepEqual(readdirSync(tools).toSorted(), young.slice(0, 30).toSorted())
  assert.ok(existsSync(join(home, "mine/file")))
})

test("one start removes a bounded amount and the next one continues; a repository in use meanwhile gets a new cache", async (t) => {
  const home = homeOf(t)
  const path = toolCaches(home, "/work/shop") ?? assert.fail("it is kept")
  for (let at = 0; at < 10; at++) writeFileSync(join(path, `f${at}`), "x")
  const tools = join(path, "..")
  const later = Date.now() + 40 * day
  await pruneCaches(home, later, 4)
  assert.equal(toolCaches(home, "/work/shop"), path)
  assert.deepEqual(readdirSync(path), [])
  const [left = ""] = readdirSync(tools).filter((name) => name.startsWith(".old-"))
  assert.equal(readdirSync(join(tools, left)).length, 6)
  await pruneCaches(home, Date.now(), 100)
  assert.deepEqual(readdirSync(tools), [path.split("/").at(-1)])
})

test("sizes of caches are disk usage, including hidden folders", async (t) => {
  const home = homeOf(t)
  assert.deepEqual(await sizeOfToolCaches(home), { workspaces: 0, bytes: 0, more: false })
  const path = toolCaches(home, "/work/shop") ?? assert.fail("it is kept")
  mkdirSync(join(path, "home/.npm"), { recursive: true })
  writeFileSync(join(path, "home/.npm/a"), new Uint8Array(1_000_000))
  const { workspaces, bytes, more } = await sizeOfToolCaches(home)
  assert.deepEqual([workspaces, more], [1, false])
  assert.ok(bytes >= 1_000_000 && bytes < 1_100_000, String(bytes))
})
