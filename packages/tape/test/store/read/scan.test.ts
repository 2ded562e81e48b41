import assert from "node:assert/strict"
import { test } from "node:test"
import type { Damage, Entry } from "@gong/spec"
import { lineOf } from "../../../src/line.ts"
import { crc32 } from "../../../src/store/artifacts/digest.ts"
import { type Disk, memoryDisk } from "../../../src/store/file.ts"
import { eachLine, type Record, scanOn } from "../../../src/store/read/scan.ts"
import { putFile } from "../../world.ts"

const path = "/entries.jsonl"
const lineAt = (at: number, data = ""): string =>
  Buffer.from(
    lineOf(
      {
        id: `a${String(at).padStart(11, "0")}`,
        parentId: null,
        type: "custom",
        timestamp: "t",
        customType: "x",
        data,
      } as Entry,
      crc32,
    ),
  )
    .toString()
    .trimEnd()

function diskWith(text: string): Disk {
  const disk = memoryDisk()
  putFile(disk, path, Buffer.from(text, "latin1"))
  return disk
}

function scanFile(text: string) {
  const records: Record[] = []
  const damage: Damage[] = []
  const scanned = scanOn(diskWith(text), { path, start: 0, crc32 }, (record) => records.push(record), damage)
  return { ...scanned, records, damage }
}

/** The offsets of the found lines, and the damage. */
function found(text: string) {
  const { records, damage, size, clean } = scanFile(text)
  assert.equal(size, text.length)
  return {
    clean,
    records: records.map(({ head, offset, length }) => [Number(head.id.slice(1)), offset, length]),
    damage: damage.map(({ offset, kind, reason }) => [offset, kind, reason]),
  }
}

const [one, two, three] = [lineAt(1), lineAt(2, "more"), lineAt(3)]
const [first, second] = [
  [1, 0, one.length],
  [2, one.length + 1, two.length],
]

test("whole lines are found where they stand, and a file may end before its last newline and with empty lines", () => {
  const records = [first, second]
  assert.deepEqual(found(`${one}\n${two}\n`), { clean: true, records, damage: [] })
  assert.deepEqual(found(`${one}\n${two}`), { clean: false, records, damage: [] })
  assert.deepEqual(found(`${one}\n${two}\n\n\n`), { clean: true, records, damage: [] })
  assert.deepEqual(found(""), { clean: true, records: [], damage: [] })
  const [record] = scanFile(`${one}\n`).records
  const { checksum, file, head } = record as Record
  assert.deepEqual(
    [checksum, file, head.type],
    [parseInt((JSON.parse(one) as { crc: string }).crc, 16), path, "custom"],
  )
})

test("a damaged line is named with its damage, and complete entries in it are found", () => {
  const offset = one.length + 1
  const after = (line: string, end = "\n") => found(`${one}\n${line}${end}`)
  const bad = (kind: string, reason: string, clean: boolean) => ({
    clean,
    records: [first],
    damage: [[offset, kind, reason]],
  })
  const sum = "line does not match its check sum"
  assert.deepEqual(after("junk"), bad("damaged", sum, true))
  assert.deepEqual(after("\0\0"), bad("damaged", "line holds NUL bytes", true))
  assert.deepEqual(after("\x01"), bad("damaged", sum, true))
  assert.deepEqual(after("junk", "\n\0"), {
    ...bad("damaged", sum, false),
    damage: [
      [offset, "damaged", sum],
      [offset + 5, "torn", "last line is torn"],
    ],
  })
  assert.deepEqual(after("\0junk", ""), bad("torn", "last line is torn", false))
  const inside = (from: number) => [2, offset + from, two.length]
  assert.deepEqual(after(`torn${two}`), {
    clean: true,
    records: [first, inside(4)],
    damage: [[offset, "damaged", `${sum}; 1 whole entry found in it`]],
  })
  assert.deepEqual(after(`\0${two}x${three}`, ""), {
    clean: false,
    records: [first, inside(1), [3, offset + two.length + 2, three.length]],
    damage: [[offset, "torn", "last line is torn; 2 whole entries found in it"]],
  })
})

test("a scan ends after the last settled line, before its newline, and continues there", () => {
  const text = `${one}\n${two}`
  for (const [more, end, settled] of [
    ["", 0, [true]],
    ["\n", 0, [true]],
    ["\njunk\n", "\njunk".length, [true]],
    ["\njunk", 0, [true]],
    [`\nx${three}`, 0, [true, false]],
    [`\nx${three}\n`, `\nx${three}`.length, [true, true]],
  ] as const) {
    const seen: boolean[] = []
    const damage: Damage[] = []
    const disk = diskWith(text + more)
    const onRecord = (record: Record, bytes: Buffer, from: number, isSettled: boolean): void => {
      const line = bytes.toString("latin1", from, from + record.length)
      assert.equal(line, (text + more).slice(record.offset, record.offset + record.length))
      seen.push(isSettled)
    }
    const scanned = scanOn(disk, { path, start: one.length, crc32 }, onRecord, damage)
    assert.deepEqual([scanned.end, seen], [text.length + end, settled], JSON.stringify(more))
  }
})

test("lines are returned whole wherever the reads cut them, also those longer than one read", () => {
  const texts = ["", "a", "b".repeat(300), "", "c".repeat(700), "last"]
  const long = "d".repeat(1024 * 1024 - 3)
  for (const lines of [texts, [...texts, ""], [long, ...texts, `${long}eee`, long, "end"]]) {
    const text = lines.join("\n")
    const disk = diskWith(text)
    for (const most of [7, 1000, Infinity]) {
      if (text.length > 5000 && most < 1000) continue
      const read: Disk["read"] = (file, into, position) => disk.read(file, into.subarray(0, most), position)
      const given: [line: string, offset: number, whole: boolean][] = []
      const size = eachLine(
        { ...disk, read },
        path,
        0,
        (bytes, from, to, offset, whole) => void given.push([bytes.toString("latin1", from, to), offset, whole]),
      )
      let offset = 0
      const expected = lines.map((line, at) => {
        const here = [line, offset, at < lines.length - 1] as const
        offset += line.length + 1
        return here
      })
      assert.equal(size, text.length)
      assert.deepEqual(given, lines.at(-1) === "" ? expected.slice(0, -1) : expected)
    }
  }
})

test("of an oversized line only the start is returned, once, and later lines are read as usual", () => {
  const long = "a".repeat(250)
  for (const [text, expected] of [
    [
      `b\n${long}\nc\n${long}`,
      [
        ["b", true],
        [long.slice(0, 100), true],
        ["c", true],
        [long.slice(0, 100), true],
        ["a".repeat(50), false],
      ],
    ],
    [
      `${long.slice(0, 99)}\n${long.slice(0, 99)}`,
      [
        [long.slice(0, 99), true],
        [long.slice(0, 99), false],
      ],
    ],
    [
      `${long.slice(0, 200)}\nc\n`,
      [
        [long.slice(0, 100), true],
        ["c", true],
      ],
    ],
    [
      long.slice(0, 200),
      [
        [long.slice(0, 100), true],
        ["", false],
      ],
    ],
  ] as const) {
    const disk = diskWith(text)
    const read: Disk["read"] = (file, into, position) => disk.read(file, into.subarray(0, 1), position)
    const given: (readonly [string, boolean])[] = []
    const onLine: Parameters<typeof eachLine>[3] = (bytes, from, to, offset, whole) => {
      const line = bytes.toString("latin1", from, to)
      assert.equal(line, text.slice(offset, offset + line.length))
      given.push([line, whole])
    }
    assert.equal(eachLine({ ...disk, read }, path, 0, onLine, 100), text.length)
    assert.deepEqual(given, expected)
  }
})
