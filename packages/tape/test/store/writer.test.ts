import assert from "node:assert/strict"
import { test } from "node:test"
import { memoryDisk } from "../../src/store/file.ts"
import { readWhole } from "../../src/store/disk/disk.ts"
import { phaseNamed } from "../../src/store/layout.ts"
import { writerOf } from "../../src/store/writer.ts"

const phase = phaseNamed("/t", 1, "session-start")

for (const written of [0, 3, 8]) {
  test(`after a write of which ${written} bytes arrived the next lines stand where the writer says, on a line of their own`, () => {
    let full = false
    const disk = memoryDisk({ fault: (call) => (full && call.name === "write" ? { code: "ENOSPC", written } : null) })
    const writer = writerOf(disk, { tape: "/t", last: null, settle: () => undefined })
    const first = Buffer.from("anchor\n")
    assert.deepEqual(writer.begin(phase, first), { file: phase.file, offset: 0 })
    full = true
    assert.throws(() => writer.append(Buffer.from("torn one\n"), true), /ENOSPC/)
    full = false
    for (const text of ["two\n", "three\n"]) {
      const { offset } = writer.append(Buffer.from(text), true)
      const bytes = Buffer.from(readWhole(disk, phase.file) ?? [])
      assert.equal(bytes.toString("utf8", offset), text)
      assert.equal(bytes[offset - 1], 0x0a)
    }
  })
}
