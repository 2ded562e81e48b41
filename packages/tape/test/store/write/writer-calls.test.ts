import assert from "node:assert/strict"
import { test } from "node:test"
import { putFile } from "../../world.ts"
import { bytes, close, leads, one, open, placed, recorded, sync, two, write } from "./writer-world.ts"

test("each append is one write, and one sync where that is asked for; what leads to the file is synced once", () => {
  const { writer, taken, text } = recorded()
  assert.throws(() => writer.append(bytes("x\n"), true), /append before the first anchor/)
  assert.deepEqual(writer.begin(one, bytes("anchor\n")), { file: one.file, offset: 0 })
  assert.deepEqual(taken(), ["mkdir 001_one", open, write])
  assert.deepEqual(writer.append(bytes("a\n"), false), { file: one.file, offset: 7 })
  assert.deepEqual(taken(), [write])
  assert.deepEqual(writer.append(bytes("b\n"), true), { file: one.file, offset: 9 })
  assert.deepEqual(taken(), [write, sync, ...leads])
  writer.append(bytes("c\n"), true)
  assert.deepEqual(taken(), [write, sync])
  writer.close()
  assert.deepEqual(taken(), [close])
  writer.close()
  assert.deepEqual([taken(), writer.settled(), writer.failure], [[], null, null])
  assert.equal(text(), "anchor\na\nb\nc\n")
  assert.throws(() => writer.append(bytes("d\n"), true), /append before the first anchor/)
})

test("closing a tape syncs unsynced entries and their folders", () => {
  const { writer, taken } = recorded()
  writer.begin(one, bytes("anchor\n"))
  taken()
  writer.close()
  assert.deepEqual(taken(), [sync, close, ...leads])
  const none = recorded()
  none.writer.close()
  assert.deepEqual(none.taken(), [])
})

test("a new phase is durable at its path, and so is everything before it", () => {
  for (const synced of [false, true]) {
    const { writer, taken, text } = recorded()
    writer.begin(one, bytes("anchor\n"))
    writer.append(bytes("a\n"), synced)
    taken()
    assert.deepEqual(writer.begin(two, bytes("next\n")), { file: two.file, offset: 0 })
    assert.deepEqual(taken(), synced ? [...placed, close] : [...leads, open, sync, close, ...placed, close])
    assert.deepEqual(writer.append(bytes("b\n"), false), { file: two.file, offset: 5 })
    assert.deepEqual(taken(), ["open 002_two/e", "write 002_two/e"])
    writer.close()
    assert.deepEqual(taken(), ["sync 002_two/e", "close 002_two/e"])
    assert.equal(text(two), "next\nb\n")
  }
})

test("an incomplete phase of an earlier attempt is removed; a renamed one is appended to", () => {
  const left = recorded()
  left.writer.begin(one, bytes("anchor\n"))
  left.disk.mkdir("/t/anchors/.tmp-002_two")
  putFile(left.disk, "/t/anchors/.tmp-002_two/entries.jsonl", bytes("old\n"))
  left.writer.begin(two, bytes("next\n"))
  assert.equal(left.text(two), "next\n")
  const there = recorded()
  there.writer.begin(one, bytes("anchor\n"))
  there.disk.mkdir(two.folder)
  putFile(there.disk, two.file, bytes("torn"))
  assert.deepEqual(there.writer.begin(two, bytes("next\n")), { file: two.file, offset: 5 })
  assert.deepEqual([there.text(two), there.writer.append(bytes("b\n"), false).offset], ["torn\nnext\n", 10])
})

test("an opened tape continues after its last line, and does not count as durable", () => {
  for (const [found, clean, line, offset] of [
    ["", true, "a\n", 0],
    ["old\n", true, "old\na\n", 4],
    ["old\ntorn", false, "old\ntorn\na\n", 9],
    ["", false, "a\n", 0],
  ] as const) {
    const { disk, writer, taken, text } = recorded({ last: { ...one, size: found.length, clean } })
    disk.mkdir(one.folder)
    putFile(disk, one.file, bytes(found))
    taken()
    assert.equal(writer.append(bytes("a\n"), false).offset, offset)
    assert.deepEqual([text(), taken().slice(0, 2)], [line, [open, write]])
  }
  for (const size of [0, 1]) {
    const { disk, writer, taken } = recorded({ last: { ...one, size, clean: true } })
    disk.mkdir(one.folder)
    putFile(disk, one.file, bytes("\n".repeat(size)))
    taken()
    writer.beginSync()
    assert.deepEqual(taken(), [])
    writer.begin(two, bytes("next\n"))
    assert.deepEqual(taken(), [...leads, ...(size === 0 ? [] : [open, sync, close]), ...placed])
    writer.close()
    assert.deepEqual(taken(), [])
  }
})

test("a background sync covers appends since the last one; the next append throws its error once", async () => {
  const { writer, taken, faults } = recorded()
  writer.beginSync()
  assert.deepEqual(taken(), [])
  writer.begin(one, bytes("anchor\n"))
  taken()
  writer.beginSync()
  assert.deepEqual(taken(), [...leads, "beginSync 001_one/e"])
  writer.append(bytes("a\n"), true)
  taken()
  writer.beginSync()
  assert.deepEqual(taken(), [])
  writer.append(bytes("b\n"), false)
  faults.set("beginSync", { code: "EIO" })
  writer.beginSync()
  await Promise.resolve()
  taken()
  assert.throws(() => writer.append(bytes("c\n"), false), /EIO/)
  assert.deepEqual(taken(), [])
  assert.equal(writer.append(bytes("c\n"), false).offset, 11)
  writer.beginSync()
  writer.begin(two, bytes("next\n"))
  await Promise.resolve()
  writer.append(bytes("d\n"), false)
})

test("a first phase that cannot be written leaves no file open, and can be begun again", () => {
  const { writer, taken, faults } = recorded()
  faults.set("write", { code: "ENOSPC" })
  assert.throws(() => writer.begin(one, bytes("anchor\n")), /ENOSPC/)
  assert.deepEqual(taken(), ["mkdir 001_one", open, write, close])
  faults.clear()
  assert.deepEqual(writer.begin(one, bytes("anchor\n")), { file: one.file, offset: 0 })
})

test("partial bytes of a failed write are removed when they are certainly its own; otherwise the next line follows them", () => {
  for (const [written, other, text] of [
    [0, "", "anchor\ntwo\n"],
    [1, "", "anchor\ntwo\n"],
    [8, "", "anchor\ntwo\n"],
    [9, "", "anchor\ntorn one\n\ntwo\n"],
    [0, "x\n", "anchor\nx\n\ntwo\n"],
  ] as const) {
    const { disk, writer, faults, text: now } = recorded()
    writer.begin(one, bytes("anchor\n"))
    faults.set("write", { code: "ENOSPC", written })
    const { write: plain } = disk
    const failing = Object.assign(disk, {
      write(file: number, lines: Uint8Array, position?: number) {
        if (other === "") return plain(file, lines, position)
        faults.clear()
        const their = disk.open(one.file, "append")
        plain(their, bytes(other))
        disk.close(their)
        throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" })
      },
    })
    assert.throws(() => writer.append(bytes("torn one\n"), true), /ENOSPC/)
    faults.clear()
    failing.write = plain
    writer.append(bytes("two\n"), true)
    assert.equal(now(), text, `${written} ${other}`)
  }
})
