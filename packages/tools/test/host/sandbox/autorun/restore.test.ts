import assert from "node:assert/strict"
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { folder } from "@gong/testing/folder"
import { type Content, createContents, isProgram, isSame } from "../../../../src/host/sandbox/autorun/contents.ts"
import { restorePath } from "../../../../src/host/sandbox/autorun/restore.ts"

const read = (path: string) => createContents()(path)
const none = async () => false

const wasRestored = (path: string) =>
  `[sandbox: ${path} was put back as it was, and what the command wrote is now ${path}.sandbox, since programs outside the sandbox run what it says; to ask for it use write, or run mv with unsandboxed: true]`
const wasRenamed = (path: string) =>
  `[sandbox: ${path} was renamed to ${path}.sandbox, since programs outside the sandbox run what it says; to ask for it use write, or run mv with unsandboxed: true]`

test("changed files are restored with their mode, created ones are renamed, unchanged ones stay", async (t) => {
  const root = folder(t, { "p/changed": "old", "p/same": "same", "p/mode": "m" })
  chmodSync(join(root, "p/changed"), 0o755)
  const path = join(root, "p")
  const old = read(path)
  writeFileSync(join(path, "changed"), "new")
  writeFileSync(join(path, "created"), "new")
  chmodSync(join(path, "mode"), 0o755)
  const notes = await restorePath({ path, now: read(path), old, mayStay: none })
  assert.deepEqual([...notes].toSorted(), [
    wasRestored(join(path, "changed")),
    wasRenamed(join(path, "created")),
    wasRestored(join(path, "mode")),
  ])
  assert.deepEqual(readdirSync(path).toSorted(), [
    "changed",
    "changed.sandbox",
    "created.sandbox",
    "mode",
    "mode.sandbox",
    "same",
  ])
  assert.deepEqual(
    [readFileSync(join(path, "changed"), "utf8"), readFileSync(join(path, "changed.sandbox"), "utf8")],
    ["old", "new"],
  )
  assert.deepEqual(
    [statSync(join(path, "changed")).mode & 0o777, statSync(join(path, "mode")).mode & 0o111],
    [0o755, 0],
  )
})

test("an unchanged file with the same number of hard links is not written again", async (t) => {
  const root = folder(t, { "p/a": "1", "p/b": "2" })
  const path = join(root, "p")
  linkSync(join(path, "a"), join(root, "link"))
  const old = read(path)
  const inodes = () => ["a", "b"].map((name) => statSync(join(path, name)).ino)
  const before = inodes()
  assert.deepEqual(await restorePath({ path, now: read(path), old, mayStay: none }), [])
  assert.deepEqual(inodes(), before)
  const all = async () => true
  assert.deepEqual(
    await restorePath({ path: join(path, "b"), now: read(join(path, "b")), old: null, mayStay: all }),
    [],
  )
  assert.deepEqual(inodes(), before)
})

test("of a path that was moved away the files whose content was kept are restored", async (t) => {
  const root = folder(t, { "p/x": "" })
  const path = join(root, "p")
  const content = (bytes: Uint8Array | null): Content => ({ bytes, mode: 0o644, links: 1 })
  const old = new Map([
    [join(path, "sub/a"), content(Buffer.from("1"))],
    [join(path, "sub/b"), content(null)],
  ])
  assert.deepEqual(await restorePath({ path, now: null, old, mayStay: none }), [wasRenamed(path)])
  assert.deepEqual(readdirSync(join(path, "sub")), ["a"])
})

test("what may stay is not touched", async (t) => {
  const root = folder(t, { "p/a": "1" })
  const path = join(root, "p")
  const now = read(path)
  const asked: string[] = []
  const mayStay = async (file: string, { bytes }: Content) => {
    asked.push(`${file.slice(root.length)} ${Buffer.from(bytes ?? []).toString()}`)
    return true
  }
  assert.deepEqual(await restorePath({ path, now, old: null, mayStay }), [])
  assert.deepEqual([asked, readdirSync(path)], [["/p/a 1"], ["a"]])
})

test("a created folder is renamed as a whole if nothing in it may stay, otherwise file by file", async (t) => {
  const whole = folder(t, { "p/a": "1", "p/sub/b": "2" })
  const path = join(whole, "p")
  assert.deepEqual(await restorePath({ path, now: read(path), old: null, mayStay: none }), [wasRenamed(path)])
  assert.deepEqual(readdirSync(whole), ["p.sandbox"])
  const part = folder(t, { "p/a": "1", "p/b": "2" })
  const place = join(part, "p")
  const mayStay = async (file: string) => file.endsWith("/a")
  assert.deepEqual(await restorePath({ path: place, now: read(place), old: null, mayStay }), [
    wasRenamed(join(place, "b")),
  ])
  assert.deepEqual(readdirSync(place), ["a", "b.sandbox"])
  const empty = folder(t)
  mkdirSync(join(empty, "p"))
  assert.deepEqual(
    await restorePath({ path: join(empty, "p"), now: read(join(empty, "p")), old: null, mayStay: none }),
    [],
  )
})

test("a path that cannot be read is renamed, and its earlier files are restored", async (t) => {
  const root = folder(t, { "p/sub/a": "1" })
  const path = join(root, "p")
  const old = read(path)
  rmSync(join(path, "sub"), { recursive: true })
  writeFileSync(join(path, "x"), "")
  assert.deepEqual(await restorePath({ path, now: null, old, mayStay: none }), [wasRenamed(path)])
  assert.deepEqual(readdirSync(root).toSorted(), ["p", "p.sandbox"])
  assert.equal(readFileSync(join(path, "sub/a"), "utf8"), "1")
  assert.deepEqual(await restorePath({ path: join(root, "none"), now: null, old: null, mayStay: none }), [])
})

test("a file with a new hard link is written again, so that the link does not change it", async (t) => {
  const root = folder(t, { "p/a": "1", "p/b": "2" })
  const path = join(root, "p")
  const old = read(path)
  linkSync(join(path, "a"), join(root, "link"))
  assert.deepEqual(await restorePath({ path, now: read(path), old, mayStay: none }), [])
  writeFileSync(join(root, "link"), "changed")
  assert.equal(readFileSync(join(path, "a"), "utf8"), "1")
  assert.equal(statSync(join(path, "a")).nlink, 1)
})

test("files that were renamed before are not read; too many or too large ones cannot be kept", (t) => {
  const root = folder(t, { a: "1", "a.sandbox": "2", "a.sandbox3": "3", "sub/b": "4" })
  assert.deepEqual([...(read(root) ?? [])].map(([path]) => path.slice(root.length)).toSorted(), ["/a", "/sub/b"])
  assert.equal(read(join(root, "none"))?.size, 0)
  const sized = (bytes: number) => folder(t, { a: "x".repeat(bytes - 1), b: "x" })
  assert.equal(read(sized(8 * 1024 * 1024))?.size, 2)
  assert.equal(read(sized(8 * 1024 * 1024 + 1)), null)
  const many = (count: number) =>
    folder(t, Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, ""])))
  assert.equal(read(many(1_000))?.size, 1_000)
  assert.equal(read(many(1_001)), null)
})

test("two contents are the same with equal bytes, both executable or neither", () => {
  const of = (bytes: string | null, mode = 0o644): Content => ({
    bytes: bytes === null ? null : Buffer.from(bytes),
    mode,
    links: 1,
  })
  assert.equal(isSame(of("a"), of("a", 0o600)), true)
  assert.equal(isSame(of("a", 0o700), of("a", 0o755)), true)
  for (const [one, other] of [
    [of("a"), of("b")],
    [of("a"), of("a", 0o755)],
    [of(null), of("a")],
    [of("a"), of(null)],
    [of(null), of(null)],
  ] as const)
    assert.equal(isSame(one, other), false)
  assert.deepEqual(
    [0o644, 0o100, 0o010, 0o001].map((mode) => isProgram(of("", mode))),
    [false, true, true, true],
  )
})

test("a file with a new hard link whose content was not read is left as it is", async (t) => {
  const root = folder(t, { a: "1" })
  const path = join(root, "a")
  const now = new Map([[path, { bytes: null, mode: 0o644, links: 2 }]])
  assert.deepEqual(await restorePath({ path, now, old: null, mayStay: async () => true }), [])
  assert.equal(readFileSync(path, "utf8"), "1")
})
