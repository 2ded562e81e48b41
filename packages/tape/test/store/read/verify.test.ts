import assert from "node:assert/strict"
import { test } from "node:test"
import { readWhole } from "../../../src/store/disk/disk.ts"
import { type Disk, memoryDisk, openStore, verifyTape } from "../../../src/store/file.ts"
import { newTape, putFile, result, testPorts, user } from "../../world.ts"

const path = "/sessions/s1"
const lines = `${path}/anchors/001_session-start/entries.jsonl`

function recorded() {
  const disk = memoryDisk()
  const tape = newTape(testPorts(disk))
  tape.append([user("one"), user("two 你好"), result("c1", { diff: "x".repeat(70_000) }), user("four")], { sync: true })
  tape.append([{ type: "prompt", artifact: `sha256-${"0".repeat(64)}` }], { sync: true })
  tape.close()
  return { disk, ports: testPorts(disk), bytes: Buffer.from(readWhole(disk, lines) ?? []) }
}

test("every line is counted, and damage is named with file, line and kind", () => {
  const { disk, ports, bytes } = recorded()
  assert.deepEqual(verifyTape(ports, path).problems, [])
  assert.deepEqual(verifyTape(ports, path).files, [{ file: lines, valid: 6 }])
  const parts = bytes.toString().trimEnd().split("\n")
  const bad = [...parts.slice(0, 2), "\0\0\0", parts[2]?.replace("two", "TWO"), ...parts.slice(3), '{"id":"torn'].join(
    "\n",
  )
  putFile(disk, lines, Buffer.from(bad))
  const { problems, files } = verifyTape(ports, path)
  assert.deepEqual(
    problems.map(({ file, line, kind }) => [file, line, kind]),
    [
      [lines, 3, "damaged"],
      [lines, 4, "damaged"],
      [lines, 5, "misplaced"],
      [lines, 8, "torn"],
    ],
  )
  assert.deepEqual(files, [{ file: lines, valid: 5 }])
  assert.equal(Buffer.from(readWhole(disk, lines) ?? []).toString(), bad, "nothing is changed")
})

test("artifacts are checked by their names: missing ones and damaged ones are named", () => {
  const { disk, ports } = recorded()
  const { artifacts } = verifyTape(ports, path)
  assert.deepEqual([artifacts.checked, artifacts.damaged, artifacts.missing.length], [1, [], 1])
  assert.match(artifacts.missing[0]?.artifact ?? "", /^sha256-0000/)
  const [name = ""] = disk.list(`${path}/artifacts`)
  putFile(disk, `${path}/artifacts/${name}`, Buffer.from("other bytes"))
  assert.deepEqual(verifyTape(ports, path).artifacts.damaged, [name])
  disk.unlink(`${path}/artifacts/${name}`)
  const { missing } = verifyTape(ports, path).artifacts
  const store = openStore(ports, { path, readOnly: true })
  assert.deepEqual(missing[0], { artifact: name, entry: store.heads()[3]?.id })
})

test("of a change the bytes before it are needed, where they stand nowhere else", () => {
  const disk = memoryDisk()
  const tape = newTape(testPorts(disk))
  const before = (digit: string): string => `sha256-${digit.repeat(64)}`
  const change = { type: "change", callId: "c", path: "/a", after: "0".repeat(64) } as const
  tape.append(
    [
      { ...change, before: before("1") },
      { ...change, before: before("2"), beforeText: "as it was" },
      { ...change, before: null, path: `/${before("3")}` },
    ],
    { sync: false },
  )
  tape.close()
  const { missing } = verifyTape(testPorts(disk), path).artifacts
  assert.deepEqual(
    missing.map(({ artifact }) => artifact),
    [before("1")],
  )
})

test("an invalid session is one clear line", () => {
  const { ports } = recorded()
  assert.throws(() => verifyTape(ports, "/sessions/none"), /No session at/)
})

test("a check takes no lock, leaves no file open and counts lines from the first byte on", () => {
  const { disk, bytes } = recorded()
  const long = `${"x".repeat(1024 * 1024)}\n`
  putFile(disk, lines, Buffer.from(`\n${bytes.toString()}${long.repeat(2)}`))
  let open = 0
  const reading: Disk = {
    ...disk,
    open(file, mode) {
      assert.equal(mode, "read")
      open += 1
      return disk.open(file, mode)
    },
    close(file) {
      open -= 1
      disk.close(file)
    },
  }
  const { problems, files } = verifyTape(testPorts(reading), path)
  assert.deepEqual([problems.map(({ line }) => line), files[0]?.valid, open], [[8, 9], 6, 0])
})
