import assert from "node:assert/strict"
import { test } from "node:test"
import { type Disk, memoryDisk } from "../../../src/store/file.ts"
import { readWhole, writeAtomically } from "../../../src/store/disk/disk.ts"
import { phaseNamed } from "../../../src/store/layout.ts"
import { type WriterOptions, writerOf } from "../../../src/store/write/writer.ts"

const textOf = (disk: Disk): string => Buffer.from(readWhole(disk, phase.file) ?? []).toString()

const phase = phaseNamed("/t", 1, "session-start")
const options: WriterOptions = { tape: "/t", last: null, ancestorSyncs: function* () {}, syncMode: "at-once" }

for (const written of [0, 3, 8]) {
  test(`after a write of which ${written} bytes arrived the next lines are at the writer's offset, on a line of their own`, () => {
    let full = false
    const disk = memoryDisk({ fault: (call) => (full && call.name === "write" ? { code: "ENOSPC", written } : null) })
    const writer = writerOf(disk, options)
    const first = Buffer.from("anchor\n")
    assert.deepEqual(writer.begin(phase, first), { file: phase.file, offset: 0 })
    full = true
    assert.throws(() => writer.append(Buffer.from("torn one\n"), true), /ENOSPC/)
    assert.equal(textOf(disk), "anchor\n", "no torn line is left")
    full = false
    for (const text of ["two\n", "three\n"]) {
      const { offset } = writer.append(Buffer.from(text), true)
      const bytes = Buffer.from(readWhole(disk, phase.file) ?? [])
      assert.equal(bytes.toString("utf8", offset), text)
      assert.equal(bytes[offset - 1], 0x0a)
    }
  })
}

test("bytes of another process after a torn line are not removed", () => {
  let failing = false
  const disk = memoryDisk({
    fault(call) {
      if (!failing || call.name !== "write") return null
      failing = false
      const other = disk.open(phase.file, "append")
      disk.write(other, Buffer.from("of another\n"))
      disk.close(other)
      return { code: "ENOSPC", written: 4 }
    },
  })
  const writer = writerOf(disk, options)
  writer.begin(phase, Buffer.from("anchor\n"))
  failing = true
  assert.throws(() => writer.append(Buffer.from("torn one\n"), true), /ENOSPC/)
  assert.match(textOf(disk), /^anchor\nof another\n/)
  writer.append(Buffer.from("two\n"), true)
  assert.match(textOf(disk), /\ntwo\n$/)
})

test("when truncation fails as well, the torn line stays, and the next one follows a newline", () => {
  let full = false
  const disk = memoryDisk({
    fault: ({ name }) => (full && /write|truncate/.test(name) ? { code: "EIO", written: 3 } : null),
  })
  const writer = writerOf(disk, options)
  writer.begin(phase, Buffer.from("anchor\n"))
  full = true
  assert.throws(() => writer.append(Buffer.from("torn one\n"), true), /EIO/)
  full = false
  writer.append(Buffer.from("two\n"), true)
  assert.equal(textOf(disk), "anchor\ntor\ntwo\n")
})

test("half of an artifact or of tape.json is not left in the way on a full disk", () => {
  const disk = memoryDisk({ fault: ({ name }) => (name === "write" ? { code: "ENOSPC", written: 3 } : null) })
  disk.mkdir("/t")
  assert.throws(() => writeAtomically(disk, "/t/a", Buffer.from("bytes"), { sync: true }), /ENOSPC/)
  assert.deepEqual(disk.list("/t"), [])
})
