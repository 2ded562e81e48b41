import assert from "node:assert/strict"
import { test } from "node:test"
import { crc32 } from "node:zlib"
import type { Entry } from "@gong/spec"
import { entryOfLine, headOfLine, hasValidChecksum, lineOf as bytesOfLine } from "../src/index.ts"
import { checksumAt } from "../src/line.ts"
import { user } from "./world.ts"

const head = { id: "0123456789ab", parentId: "zyxwvutsrqpn", timestamp: "2025-01-01T00:00:00.000Z" }
const entry: Entry = { ...user("héllo\n\u2028 你好 🙂 \u0000"), ...head }

/** The text of a line without its newline. */
function lineOf(entry: Entry): string {
  const line = Buffer.from(bytesOfLine(entry, crc32)).toString()
  assert.ok(line.endsWith("\n"))
  return line.slice(0, -1)
}

test("a line has its keys in a fixed order and ends with eight digits of CRC-32", () => {
  const line = lineOf({ type: "session_info", name: "x", ...head })
  const open = `{"id":"0123456789ab","parentId":"zyxwvutsrqpn","type":"session_info","timestamp":"2025-01-01T00:00:00.000Z","name":"x"`
  assert.equal(line, `${open},"crc":"${crc32(open).toString(16).padStart(8, "0")}"}`)
})

test("[TAPE-APPEND.3] newlines, Chinese, emoji and U+2028 come back identical from one physical line", () => {
  const line = lineOf(entry)
  assert.equal(line.includes("\n"), false)
  assert.deepEqual(entryOfLine(line), entry)
})

test("the head is read at its fixed places, with and without a parent", () => {
  assert.deepEqual(headOfLine(lineOf(entry)), {
    id: head.id,
    parentId: head.parentId,
    type: "message",
    role: "user",
  })
  const root = lineOf({ ...entry, parentId: null })
  assert.equal(headOfLine(root)?.parentId, null)
})

test("an unknown type has a head and keeps its body, also a key named crc", () => {
  const strange = { ...head, type: "from_the_future", crc: "00000000", deep: { crc: 1 } } as unknown as Entry
  const line = lineOf(strange)
  assert.equal(headOfLine(line)?.type, "from_the_future")
  assert.deepEqual(entryOfLine(line), strange)
})

test("every changed byte of a line invalidates its checksum", () => {
  const bytes = Buffer.from(lineOf(entry))
  assert.equal(hasValidChecksum(bytes, 0, bytes.length, crc32), true)
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.equal(hasValidChecksum(changed, 0, changed.length, crc32), false, `byte ${at}`)
  }
})

test("an invalid entry has no head", () => {
  for (const text of [
    "",
    "{}",
    "not json",
    '{"id":"short","parentId":null,"type":"x"',
    '{"type":"session","version":3}',
  ])
    assert.equal(headOfLine(text), null)
})

test("a checksum is eight lower-case hex digits in its field, completely within the bytes, after at least one byte", () => {
  const at = (text: string, from = 0, limit = text.length) => checksumAt(Buffer.from(text), from, limit)
  const seal = (digits: string): string => `,"crc":"${digits}"}`
  assert.deepEqual([at(seal("00000000")), at(seal("ffffffff")), at(seal("019af09f"))], [0, 0xffffffff, 0x019af09f])
  for (const odd of ["/", ":", "`", "g", "A", "F", " "])
    for (const place of [0, 7])
      assert.equal(at(seal("00000000".split("").toSpliced(place, 1, odd).join(""))), null, odd)
  for (const wrong of [`,"crd":"00000000"}`, `x"crc":"00000000"}`, `,"crc":"00000000'}`, `,"crc":"00000000"]`, ""])
    assert.equal(at(wrong), null, wrong)
  const inside = `x${seal("0000000a")}y`
  assert.deepEqual(
    [at(inside, 1), at(inside, 1, 19), at(inside, 1, 18), at(inside, 0), at(inside, -1)],
    [10, 10, null, null, null],
  )
  const sealed = (text: string, from = 0, to = text.length) => hasValidChecksum(Buffer.from(text), from, to, crc32)
  assert.equal(sealed(seal("00000000")), false, "the sum of nothing")
  const line = `{${seal(crc32("{").toString(16).padStart(8, "0"))}`
  assert.deepEqual([sealed(line), sealed(`x${line}y`, 1, 1 + line.length), sealed(`x${line}`)], [true, true, false])
})

test("a head has an id of twelve, a type of up to 64 and a time of up to 32 characters, and nothing before it", () => {
  const line = (id: string, parent: string, type: string, time: string): string =>
    `{"id":"${id}","parentId":${parent},"type":"${type}","timestamp":"${time}"`
  const id = "a00000000000"
  assert.deepEqual(headOfLine(line(id, "null", "x".repeat(64), "t".repeat(32))), {
    id,
    parentId: null,
    type: "x".repeat(64),
  })
  assert.deepEqual(headOfLine(line(id, `"${id}"`, "x", "t")), { id, parentId: id, type: "x" })
  for (const wrong of [
    line("a0", "null", "x", "t"),
    line(id, '"a0"', "x", "t"),
    line(id, "null", "x".repeat(65), "t"),
    line(id, "null", "", "t"),
    line(id, "null", "x", "t".repeat(33)),
    line(id, "null", "x", ""),
    line(id, "null", 'x\\"', "t"),
    ` ${line(id, "null", "x", "t")}`,
  ])
    assert.equal(headOfLine(wrong), null, wrong)
  for (const role of ["user", "assistant", "tool", "other"])
    assert.deepEqual(headOfLine(`${line(id, "null", "message", "t")},"message":{"role":"${role}"`), {
      id,
      parentId: null,
      type: "message",
      ...(role === "other" ? {} : { role }),
    })
})

test("an entry whose keys stand in another order gets a line that begins with its head", () => {
  const body = { customType: "x", data: 1 }
  const head = { id: "a00000000000", parentId: null, type: "custom", timestamp: "t" }
  const right = lineOf({ ...head, ...body } as Entry)
  const { type, ...others } = head
  for (const entry of [
    { ...body, ...head },
    { type, ...others, ...body },
    { ...others, type, ...body },
  ])
    assert.equal(lineOf(entry as Entry), right)
  const { timestamp: _, ...short } = head
  assert.equal(entryOfLine(`${JSON.stringify(short).slice(0, -1)},"crc":"00000000"}`), null)
  for (const key of ["id", "type", "timestamp"])
    assert.equal(entryOfLine(`${JSON.stringify({ ...head, [key]: 7 }).slice(0, -1)},"crc":"00000000"}`), null, key)
  assert.deepEqual(entryOfLine(`${JSON.stringify(head).slice(0, -1)},"crc":"00000000"}`), head)
})
