import assert from "node:assert/strict"
import { test } from "node:test"
import { FailureError, type TapeInfo, type UnreadableSession } from "@gong/spec"
import { memoryDisk } from "../../src/store/file.ts"
import { infoOf, mustBeId, newInfo, readInfo, writeInfo } from "../../src/store/info.ts"
import { phaseNamed, phasesOf, stagingOf } from "../../src/store/layout.ts"
import { listTapes } from "../../src/store/list.ts"
import { skipUnreadable } from "../../src/store/unreadable.ts"
import { putFile, testClock } from "../world.ts"

const info: TapeInfo = { format: 1, id: "t", cwd: "/c", workspace: "/w", created: "2025-01-01T00:00:00.000Z" }

test("phases stand in the order of their numbers, and foreign names are passed over", () => {
  const disk = memoryDisk()
  assert.deepEqual(phasesOf(disk, "/t"), [])
  for (const name of ["1000_d", "002_b", "010_c", "002_a", "01_x", "x002_y", "003", ".tmp-004_z", "001_a_b"])
    disk.mkdir(`/t/anchors/${name}`)
  assert.deepEqual(
    phasesOf(disk, "/t").map(({ seq, name }) => [seq, name]),
    [
      [1, "a_b"],
      [2, "a"],
      [2, "b"],
      [10, "c"],
      [1000, "d"],
    ],
  )
})

test("a phase has a folder whose name any system takes, and is made beside it", () => {
  const phase = phaseNamed("/t", 7, "a / b: 修复_1.2-3")
  const folder = "/t/anchors/007_a-b-修复_1.2-3"
  assert.deepEqual(phase, { seq: 7, name: "a-b-修复_1.2-3", folder, file: `${folder}/entries.jsonl` })
  const beside = "/t/anchors/.tmp-007_a-b-修复_1.2-3"
  assert.deepEqual(stagingOf(phase), { folder: beside, file: `${beside}/entries.jsonl` })
  assert.equal(phaseNamed("/t", 1234, "x".repeat(61)).name, "x".repeat(60))
  assert.ok(phaseNamed("/t", 1234, "x").folder.endsWith("/1234_x"))
})

test("a folder is a tape when its file has what must be there, and text where text may be", () => {
  const disk = memoryDisk()
  disk.mkdir("/s/t")
  const read = (value: unknown): TapeInfo | null => {
    putFile(disk, "/s/t/tape.json", Buffer.from(typeof value === "string" ? value : JSON.stringify(value)))
    return infoOf(disk, "/s/t")
  }
  const { workspace: _, created: _c, ...least } = info
  const whole = { ...info, from: { id: "f", entry: "e" }, parent: { id: "p", call: "c" } }
  for (const right of [info, least, whole, { ...info, format: 2 }]) assert.deepEqual(read(right), right)
  for (const wrong of [
    { format: "1" },
    { id: 7 },
    { cwd: 7 },
    { workspace: 7 },
    { workspace: null },
    { created: 7 },
    { from: { id: 7 } },
    { from: { entry: 7 } },
    { parent: { id: 7 } },
    { parent: { call: 7 } },
    { host: 7 },
  ])
    assert.equal(read({ ...whole, ...wrong }), null, JSON.stringify(wrong))
  for (const wrong of ["", "null", "[]", "7", "{"]) assert.equal(read(wrong), null, wrong)
  const most = 256 * 1024
  assert.deepEqual(read(JSON.stringify(info).padEnd(most)), info)
  assert.equal(read(JSON.stringify(info).padEnd(most + 1)), null)
  assert.throws(() => readInfo(disk, "/s/t"), /tape\.json is not the file of a session\./)
  assert.throws(() => readInfo(disk, "/s/other"), /No session at \/s\/other\./)
  assert.equal(infoOf(disk, "/s/other"), null)
})

test("the info of a tape is stored with its creation time", () => {
  const disk = memoryDisk()
  disk.mkdir("/s/t")
  const clock = testClock()
  const place = { cwd: "/c", workspace: "/w" }
  assert.deepEqual(newInfo({ clock }, "t", place), info)
  const more = { from: { id: "f", entry: "e" }, parent: { id: "p", call: "c" }, created: "then" }
  assert.deepEqual(newInfo({ clock }, "t", { ...place, ...more }), { ...info, ...more })
  writeInfo(disk, "/s/t", info, { sync: false })
  assert.deepEqual(readInfo(disk, "/s/t"), info)
})

test("an id is the name of a folder: 64 letters, digits, dots, bars and lines, the first a letter or a digit", () => {
  for (const id of ["a", "0", "A.b_c-9", "x".repeat(64)]) mustBeId(id)
  for (const id of ["", ".a", "-a", "_a", "a/b", "a b", "x".repeat(65), "a\n"])
    assert.throws(
      () => mustBeId(id),
      (error) => error instanceof FailureError && error.failure.kind === "storage",
      id,
    )
})

test("tapes are listed by when their newest phase was written to; of equals the one with the later id comes first", () => {
  let now = 0
  const disk = memoryDisk({ now: () => now })
  const make = (id: string, ...phases: readonly (readonly [name: string, at: number])[]): void => {
    disk.mkdir(`/s/${id}`)
    writeInfo(disk, `/s/${id}`, { ...info, id, created: "1970-01-01T00:00:00.007Z" }, { sync: false })
    for (const [name, at] of phases) {
      now = at
      disk.mkdir(`/s/${id}/anchors/${name}`)
      putFile(disk, `/s/${id}/anchors/${name}/entries.jsonl`, Buffer.from("x"))
    }
  }
  make("b", ["001_a", 9], ["002_b", 5])
  make("c", ["001_a", 5])
  make("a", ["001_a", 6])
  make("d", ["001_a", 5])
  make("y", ["001_a", 4])
  make("x", ["001_a", 4])
  make("empty")
  make(".hidden", ["001_a", 10])
  disk.mkdir("/s/junk/anchors/001_a")
  const listed = listTapes(disk, "/s")
  assert.deepEqual(
    listed.map(({ id, path, modified }) => [id, path, modified]),
    [
      ["empty", "/s/empty", 7],
      ["a", "/s/a", 6],
      ["d", "/s/d", 5],
      ["c", "/s/c", 5],
      ["b", "/s/b", 5],
      ["y", "/s/y", 4],
      ["x", "/s/x", 4],
    ],
  )
  assert.equal(listed[0]?.info.cwd, "/c")
})

test("a folder refused by the disk is skipped and named; other errors are thrown", () => {
  const fail = (code: string) => () => {
    throw Object.assign(new Error("no"), { code })
  }
  const refused: UnreadableSession[] = []
  assert.equal(skipUnreadable("/a", refused, fail("EACCES")), null)
  assert.equal(skipUnreadable("/b", refused, fail("E2BIG")), null)
  assert.equal(
    skipUnreadable("/c", refused, () => 7),
    7,
  )
  assert.deepEqual(refused, [
    { path: "/a", code: "EACCES" },
    { path: "/b", code: "E2BIG" },
  ])
  for (const code of ["", "E", "ERR_SQLITE_ERROR", "XEACCES", "EACCESs"])
    assert.throws(() => skipUnreadable("/a", refused, fail(code)), /no/, code)
  const disk = memoryDisk()
  for (const id of ["a", "b"]) {
    disk.mkdir(`/s/${id}`)
    writeInfo(disk, `/s/${id}`, { ...info, id }, { sync: false })
  }
  const stat = (path: string) => (path === "/s/a/tape.json" ? fail("EIO")() : disk.stat(path))
  const reported: (readonly UnreadableSession[])[] = []
  const list = () => listTapes({ ...disk, stat }, "/s", (all) => void reported.push(all))
  assert.deepEqual(
    list().map(({ id }) => id),
    ["b"],
  )
  assert.deepEqual(reported.at(0), [{ path: "/s/a", code: "EIO" }])
  listTapes(disk, "/s", (all) => void reported.push(all))
  assert.equal(reported.length, 1)
})
