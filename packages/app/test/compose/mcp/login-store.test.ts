import assert from "node:assert/strict"
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { FailureError } from "@gong/spec"
import type { StoredLogin } from "@gong/mcp"
import { folder } from "@gong/testing/folder"
import type { SessionContext } from "../../../src/compose/config.ts"
import { loginStore } from "../../../src/compose/mcp/login-store.ts"

const login = { issuer: "https://login.test", client: { client_id: "1" }, tokens: null } as unknown as StoredLogin
const url = "https://tools.test/mcp"

interface Place {
  readonly home: string
  /** The time of the clock at the start, in milliseconds. */
  readonly start: number
  readonly path: string
  readonly lock: string
  /** Milliseconds of each wait. */
  readonly waits: number[]
  /** Called at each wait. */
  onWait: (count: number) => void
  store(level?: "user" | "project"): ReturnType<typeof loginStore>
}

function place(t: TestContext): Place {
  const home = join(folder(t), "gong")
  const waits: number[] = []
  // Whole seconds, as times of files may have no others.
  let now = Math.floor(Date.now() / 1000) * 1000
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      waits.push(ms)
      now += ms
      made.onWait(waits.length)
    },
  }
  const made: Place = {
    home,
    start: now,
    path: join(home, "auth.json"),
    lock: join(home, "auth.json.mcp.lock"),
    waits,
    onWait: () => undefined,
    store: (level = "user") =>
      loginStore(
        { config: { home, workspace: { folder: "/work/shop" } }, services: { clock } } as unknown as SessionContext,
        { level, entry: { url } } as unknown as Parameters<typeof loginStore>[1],
      ),
  }
  return made
}

const stored = ({ path }: Place): unknown => JSON.parse(readFileSync(path, "utf8"))

test("a login is stored by its address, that of a repository also by its folder, and removed with null", async (t) => {
  const where = place(t)
  const [own, ofFolder] = [where.store(), where.store("project")]
  assert.equal(await own.read(), null)
  assert.equal(await own.update(async () => undefined), null)
  assert.equal(existsSync(where.path), false, "nothing was changed")
  assert.deepEqual(await own.update(async (now) => (assert.equal(now, null), login)), login)
  assert.deepEqual(await own.read(), login)
  assert.equal(await ofFolder.read(), null)
  const other = { ...login, issuer: "https://other.test" }
  await ofFolder.update(async () => other)
  assert.deepEqual(stored(where), { mcp: { [url]: login, [`${url} /work/shop`]: other } })
  assert.deepEqual(await own.update(async (now) => (assert.deepEqual(now, login), undefined)), login)
  assert.equal(await own.update(async () => null), null)
  assert.deepEqual([await own.read(), await ofFolder.read()], [null, other])
  assert.equal(existsSync(where.lock), false)
})

test("what is no login counts as none", async (t) => {
  const where = place(t)
  mkdirSync(where.home, { mode: 0o700 })
  const { issuer, client } = login as unknown as Readonly<Record<string, unknown>>
  for (const [value, found] of [
    [{ issuer, client }, true],
    [{ issuer: 1, client }, false],
    [{ issuer, client: "x" }, false],
    ["x", false],
    [null, false],
  ] as const) {
    writeFileSync(where.path, JSON.stringify({ mcp: { [url]: value } }))
    assert.equal((await where.store().read()) !== null, found, JSON.stringify(value))
  }
  for (const text of ["no json", "null", "[]", '{"mcp": []}', "{}"]) {
    writeFileSync(where.path, text)
    assert.equal(await where.store().read(), null, text)
  }
})

test("a login that cannot be written is a failure, and the lock is released", async (t) => {
  const where = place(t)
  mkdirSync(where.home, { mode: 0o700 })
  writeFileSync(where.path, "no json")
  await assert.rejects(
    where.store().update(async () => login),
    FailureError,
  )
  assert.equal(existsSync(where.lock), false)
  await assert.rejects(
    where.store().update(() => Promise.reject(new Error("refused"))),
    /refused/,
  )
  assert.equal(existsSync(where.lock), false)
})

test("an update waits for another process in steps of 50 ms, and has a private lock file", async (t) => {
  const where = place(t)
  mkdirSync(where.home, { mode: 0o700 })
  writeFileSync(where.lock, "")
  where.onWait = (count) => {
    if (count === 3) rmSync(where.lock)
  }
  await where.store().update(async () => {
    assert.equal(statSync(where.lock).mode & 0o777, 0o600)
    return login
  })
  assert.deepEqual(where.waits, [50, 50, 50])
})

test("the lock of a process that has died is taken over after a minute", async (t) => {
  const where = place(t)
  mkdirSync(where.home, { mode: 0o700 })
  writeFileSync(where.lock, "")
  const begun = new Date(where.start - 60_000)
  utimesSync(where.lock, begun, begun)
  assert.deepEqual(await where.store().update(async () => login), login)
  assert.deepEqual(where.waits, [50], "at 60 s it is still held")
})

test("a lock that is held for 90 s is an error with its path", async (t) => {
  const where = place(t)
  mkdirSync(where.home, { mode: 0o700 })
  writeFileSync(where.lock, "")
  const future = new Date(where.start + 3_600_000)
  utimesSync(where.lock, future, future)
  await assert.rejects(
    where.store().update(async () => login),
    new RegExp(`${where.lock} is held by another gong. If none is running, remove it`),
  )
  assert.equal(where.waits.length, 90_000 / 50 + 1)
  assert.equal(existsSync(where.lock), true)
})
