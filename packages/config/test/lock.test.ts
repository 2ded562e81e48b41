import assert from "node:assert/strict"
import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { locked } from "../src/lock.ts"
import { ok } from "../src/usage.ts"
import { folder } from "@gong/testing/folder"

test("a lock is held during the work and released after it, also after a throw", (t) => {
  const path = join(folder(t), "auth.json")
  assert.deepEqual(
    locked(path, () => existsSync(`${path}.lock`)),
    ok(true),
  )
  const broken = () => {
    throw new Error("disk")
  }
  assert.throws(() => locked(path, broken), /disk/)
  assert.ok(!existsSync(`${path}.lock`))
})

test("a lock of another process is waited for up to a limit, then reported; a stale lock is removed", (t) => {
  const home = folder(t, { "auth.json.lock": "" })
  const path = join(home, "auth.json")
  const held = locked(path, () => assert.fail("not while it is held"), 3)
  assert.deepEqual(held.ok ? [] : held.error.lines, [
    `gong: ${path} is locked by another gong. If none is running, remove ${path}.lock`,
  ])
  assert.deepEqual(readdirSync(home), ["auth.json.lock"])
  const long = new Date(Date.now() - 11_000)
  utimesSync(`${path}.lock`, long, long)
  assert.deepEqual(
    locked(path, () => "mine", 3),
    ok("mine"),
  )
  assert.deepEqual(readdirSync(home), [])
})

test("an unwritable folder throws the error of Node", (t) => {
  const home = folder(t)
  writeFileSync(join(home, "file"), "")
  assert.throws(() => locked(join(home, "file", "auth.json"), () => "never"), { code: "ENOTDIR" })
})

test("a lock is stale after 10 seconds of its file system, and no sooner", (t) => {
  const home = folder(t)
  const path = join(home, "auth.json")
  const aged = (ms: number) => {
    writeFileSync(`${path}.lock`, "")
    const then = new Date(Date.now() - ms)
    utimesSync(`${path}.lock`, then, then)
    return locked(path, () => "mine", 2)
  }
  assert.equal(aged(9_000).ok, false)
  assert.deepEqual(aged(10_100), ok("mine"))
  assert.deepEqual(readdirSync(home), [])
})

test("an error about a lock names the file itself", (t) => {
  const path = join(folder(t), "missing", "auth.json")
  assert.throws(() => locked(path, () => "never"), { code: "ENOENT", path })
})
