import assert from "node:assert/strict"
import { test } from "node:test"
import { crc32 } from "node:zlib"
import type { Entry } from "@gong/spec"
import { entryOfLine, headOfLine, isSealed, lineOf as bytesOfLine } from "../src/index.ts"
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

test("every changed byte of a line breaks its seal", () => {
  const bytes = Buffer.from(lineOf(entry))
  assert.equal(isSealed(bytes, 0, bytes.length, crc32), true)
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.equal(isSealed(changed, 0, changed.length, crc32), false, `byte ${at}`)
  }
})

test("what is not an entry has no head", () => {
  for (const text of [
    "",
    "{}",
    "not json",
    '{"id":"short","parentId":null,"type":"x"',
    '{"type":"session","version":3}',
  ])
    assert.equal(headOfLine(text), null)
})
