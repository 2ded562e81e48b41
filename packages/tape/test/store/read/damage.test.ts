import assert from "node:assert/strict"
import { test } from "node:test"
import { crc32 } from "node:zlib"
import type { Entry } from "@gong/spec"
import { lineOf as bytesOfLine, type Tape } from "../../../src/index.ts"
import { memoryDisk, type Disk } from "../../../src/store/file.ts"
import { readWhole } from "../../../src/store/disk/disk.ts"
import { assertTree, input, newTape, putFile, reopen, reply, result, testPorts, user } from "../../world.ts"

const lines = "/sessions/s1/anchors/001_session-start/entries.jsonl"

/** A small whole session and the bytes of its lines. */
function recorded(): { readonly disk: Disk; readonly bytes: Buffer } {
  const disk = memoryDisk()
  const tape = newTape(testPorts(disk))
  tape.append([input("修复 the test 🙂"), user("修复 the test 🙂", tape.leaf ?? "")], { sync: true })
  tape.append([reply("I will look\u2028", ["c1"])], { sync: true })
  tape.append([result("c1", { note: '{"id":"' })], { sync: true })
  tape.append([reply("done"), { type: "run_end", status: "done", turns: 2 }], { sync: true })
  tape.close()
  return { disk, bytes: Buffer.from(readWhole(disk, lines) ?? []) }
}

/** A tape without a line. */
function emptyTape(): Disk {
  const disk = memoryDisk()
  disk.mkdir("/sessions/s1/anchors/001_session-start")
  const info = { format: 1, id: "s1", cwd: "/w", workspace: "/w", created: "2025-01-01T00:00:00.000Z" }
  putFile(disk, "/sessions/s1/tape.json", Buffer.from(JSON.stringify(info)))
  return disk
}

function opened(bytes: Uint8Array, disk = recorded().disk): Tape {
  putFile(disk, lines, bytes)
  return reopen(testPorts(disk, "b"))
}

function split(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(0x0a, from)
    parts.push(bytes.subarray(from, end))
    from = end + 1
  }
  return parts
}

const idsOf = (tape: Tape): string[] => tape.store.heads().map((head) => head.id)

test("[SESSION-16] cut at every byte: every whole line survives and the next append begins a line of its own", () => {
  const { bytes } = recorded()
  const ends = [...bytes.keys()].filter((at) => bytes[at] === 0x0a)
  for (let cut = 0; cut <= bytes.length; cut++) {
    const disk = emptyTape()
    const tape = opened(bytes.subarray(0, cut), disk)
    // A line is whole with its last brace; its newline may be missing.
    const whole = ends.filter((end) => end <= cut).length
    const first = whole === 0 ? 1 : whole
    assert.equal(tape.store.heads().length, first, `cut at ${cut}`)
    const [next] = tape.append([user("next")], { sync: true })
    tape.close()
    const again = reopen(testPorts(disk, "c"))
    assert.equal(again.store.heads().length, first + 1, `cut at ${cut}, appended`)
    assert.deepEqual(again.entriesOfBranch().at(-1), next)
    assertTree(again)
    for (const { reason } of again.store.damage) assert.doesNotMatch(reason, /found in it/, `cut at ${cut}: merged`)
    const after = readWhole(disk, lines) ?? new Uint8Array()
    assert.deepEqual(Buffer.from(after.subarray(0, cut)), bytes.subarray(0, cut), "nothing is taken away")
    again.close()
  }
})

test("[SESSION-16] a changed byte anywhere costs at most its own line, and is reported", () => {
  const { bytes, disk } = recorded()
  const ids = idsOf(opened(bytes, disk))
  for (let at = 0; at < bytes.length; at += 3) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 0x04
    const tape = opened(changed, recorded().disk)
    const left = idsOf(tape).filter((id) => ids.includes(id))
    assert.ok(left.length >= ids.length - 2, `byte ${at}`)
    assert.ok(left.length === ids.length || tape.store.damage.length > 0, `byte ${at} is reported`)
    assertTree(tape)
  }
})

const shapes: readonly { name: string; make(parts: Buffer[]): Buffer; lost: number; reported: RegExp | null }[] = [
  {
    name: "a block of NULs before a line",
    make: (parts) => joined(parts.map((part, at) => (at === 2 ? Buffer.concat([Buffer.alloc(4096), part]) : part))),
    lost: 0,
    reported: /NUL bytes; 1 whole entry found/,
  },
  {
    name: "a block of NULs in place of a line",
    make: (parts) => joined(parts.map((part, at) => (at === 2 ? Buffer.alloc(part.length) : part))),
    lost: 1,
    reported: /NUL bytes/,
  },
  {
    name: "two lines without a newline between them",
    make: (parts) => Buffer.concat([joined(parts.slice(0, 2)), parts[2] ?? Buffer.alloc(0), joined(parts.slice(3))]),
    lost: 0,
    reported: /2 whole entries found/,
  },
  {
    name: "the torn start of a line and a whole line behind it",
    make: (parts) => joined(parts.map((part, at) => (at === 3 ? Buffer.concat([part.subarray(0, 90), part]) : part))),
    lost: 0,
    reported: /1 whole entry found/,
  },
  {
    name: "every line twice",
    make: (parts) => joined(parts.flatMap((part) => [part, part])),
    lost: 0,
    reported: null,
  },
  {
    name: "blank lines",
    make: (parts) => joined(parts.flatMap((part) => [part, Buffer.alloc(0)])),
    lost: 0,
    reported: null,
  },
  {
    name: "lines of other programs",
    make: (parts) => joined([Buffer.from('{"type":"session","version":3}'), ...parts, Buffer.from("hello")]),
    lost: 0,
    reported: /check sum/,
  },
]

for (const { name, make, lost, reported } of shapes) {
  test(`[SESSION-16] [SESSION-20] ${name}: every valid entry is found, in one tree`, () => {
    const { bytes, disk } = recorded()
    const tape = opened(make(split(bytes)), disk)
    assert.equal(tape.store.heads().length, split(bytes).length - lost)
    const reasons = tape.store.damage.map((damage) => damage.reason).join("\n")
    if (reported === null) assert.equal(reasons, "")
    else assert.match(reasons, reported)
    assertTree(tape)
    assert.equal(tape.entriesOfBranch().length, tape.branch.length)
  })
}

test("[SESSION-20] wrong parents, forward parents, cycles and second roots: one tree, nothing hangs, all is kept", () => {
  const { bytes, disk } = recorded()
  const entry = (id: string, parentId: string | null): Buffer =>
    lineOf({ ...user(id), id, parentId, timestamp: "2025-01-01T00:00:00.000Z" } as Entry)
  const strange = [
    entry("x00000000001", "nowhere00000"),
    entry("x00000000002", "x00000000003"),
    entry("x00000000003", "x00000000002"),
    entry("x00000000004", "x00000000004"),
    entry("x00000000005", null),
  ]
  const parts = split(bytes)
  const tape = opened(joined([...parts, ...strange]), disk)
  assert.equal(tape.store.heads().length, parts.length + strange.length)
  assertTree(tape)
  assert.equal(tape.store.damage.filter((damage) => /is missing/.test(damage.reason)).length, 4)
  const last = tape.entriesOfBranch().at(-1)
  assert.equal(last?.parentId, "x00000000004", "the entry says the parent that the tree has")
})

test("a second entry with the same id is reported and left out", () => {
  const { bytes, disk } = recorded()
  const parts = split(bytes)
  const twin = { ...user("twin"), id: idsOf(opened(bytes, disk))[1], parentId: null, timestamp: "x" } as Entry
  const tape = opened(joined([...parts, lineOf(twin)]), recorded().disk)
  assert.equal(tape.store.heads().length, parts.length)
  assert.match(tape.store.damage[0]?.reason ?? "", /second entry with id/)
})

test("a line of 10 MB opens, and a damaged one of 10 MB full of heads does not hang", () => {
  const disk = memoryDisk()
  const tape = newTape(testPorts(disk))
  const [big] = tape.append([user("x".repeat(10_000_000)), user("after")], { sync: true })
  tape.close()
  const again = reopen(testPorts(disk))
  assert.deepEqual(again.entry(big?.id ?? ""), big)
  again.close()
  const fake = lineOf({ ...user("x"), id: "f00000000000", parentId: null, timestamp: "x" } as Entry, () => 0)
  const tapeOfFakes = opened(Buffer.from(fake.toString().repeat(Math.floor(10_000_000 / fake.length))), disk)
  assert.equal(tapeOfFakes.store.heads().length, 1, "only its own first anchor")
})

/** Without its newline. */
function lineOf(entry: Entry, sum = crc32): Buffer {
  return Buffer.from(bytesOfLine(entry, sum)).subarray(0, -1)
}

function joined(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from("\n")]))
}
