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
