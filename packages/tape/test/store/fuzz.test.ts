import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { readWhole } from "../../src/store/disk/disk.ts"
import { type Disk, memoryDisk, verifyTape } from "../../src/store/file.ts"
import { assertTree, input, newTape, putFile, reopen, reply, result, testIds, testPorts, user } from "../world.ts"

const first = "/sessions/s1/anchors/001_session-start/entries.jsonl"
const second = "/sessions/s1/anchors/002_next/entries.jsonl"

/** Text that resembles line ends, seals and heads. */
const nasty =
  'a\u2028b\u2029c\u0085d\r\ne {"id":"000000000000","parentId":null,"type":"x" ,"crc":"00000000"} \0 你好 🙂 \ud800'

function recorded(): Disk {
  const disk = memoryDisk()
  const tape = newTape(testPorts(disk))
  tape.append([input(nasty), user(nasty), reply(nasty, ["c1"]), result("c1", { note: nasty })], { sync: true })
  const root = tape.all.head(1).id
  tape.navigate(root, nasty)
  tape.handoff("next", { entries: [user("x".repeat(3000)), user("")] })
  tape.append([reply("done"), { type: "run_end", status: "done", turns: 1 }], { sync: true })
  tape.close()
  return disk
}

type Change = (bytes: Buffer) => Buffer

const at = fc.nat(1_000_000)
const place = (bytes: Buffer, where: number): number => where % (bytes.length + 1)
const put = (bytes: Buffer, where: number, piece: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, place(bytes, where)), piece, bytes.subarray(place(bytes, where))])

/** Start and end of the line at this offset, including its newline. */
function lineAt(bytes: Buffer, where: number): readonly [number, number] {
  const from = bytes.lastIndexOf(0x0a, place(bytes, where) - 1) + 1
  const end = bytes.indexOf(0x0a, from)
  return [from, end === -1 ? bytes.length : end + 1]
}

const change: fc.Arbitrary<Change> = fc.oneof(
  // Cut off, or a piece lost.
  at.map((where) => (bytes: Buffer) => bytes.subarray(0, place(bytes, where))),
  fc.tuple(at, fc.nat(200)).map(([where, length]) => (bytes: Buffer) => {
    const from = place(bytes, where)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(Math.min(bytes.length, from + length))])
  }),
  // NUL blocks and other bytes, over existing content or inserted.
  fc.tuple(at, fc.nat(4096)).map(
    ([where, length]) =>
      (bytes: Buffer) =>
        put(bytes, where, Buffer.alloc(length)),
  ),
  fc.tuple(at, fc.uint8Array({ maxLength: 40 })).map(
    ([where, piece]) =>
      (bytes: Buffer) =>
        put(bytes, where, piece),
  ),
  fc.tuple(at, fc.nat(300)).map(([where, length]) => (bytes: Buffer) => {
    const copy = Buffer.from(bytes)
    copy.fill(0, place(bytes, where), Math.min(bytes.length, place(bytes, where) + length))
    return copy
  }),
  // A newline lost, one too many, a line twice, a line at another place.
  at.map((where) => (bytes: Buffer) => {
    const newline = bytes.indexOf(0x0a, place(bytes, where))
    return newline === -1 ? bytes : Buffer.concat([bytes.subarray(0, newline), bytes.subarray(newline + 1)])
  }),
  at.map((where) => (bytes: Buffer) => put(bytes, where, Buffer.from("\n"))),
  fc.tuple(at, at).map(([where, to]) => (bytes: Buffer) => {
    const [from, end] = lineAt(bytes, where)
    const [before] = lineAt(bytes, to)
    return put(bytes, before, bytes.subarray(from, end))
  }),
)

test("[SESSION-16] [SESSION-20] for any damage, every complete line is found, in one tree, and the tape continues", () => {
  const original = recorded()
  const bytes = { [first]: bytesOf(original, first), [second]: bytesOf(original, second) }
  const lines = Object.values(bytes).flatMap((one) => one.toString("latin1").trimEnd().split("\n"))
  const changes = fc.array(fc.tuple(fc.constantFrom(first, second), change), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(changes, (acts) => {
      const disk = recorded()
      const files: Record<string, Buffer> = { ...bytes }
      for (const [file, act] of acts) files[file] = act(files[file] ?? Buffer.alloc(0))
      for (const [file, content] of Object.entries(files)) putFile(disk, file, content)
      const tape = reopen(testPorts(disk, "b"))
      assertTree(tape)
      const all = Object.values(files).map((one) => one.toString("latin1"))
      for (const line of lines) {
        const id = /^\{"id":"([0-9a-z]{12})"/.exec(line)?.[1] ?? ""
        if (all.some((text) => text.includes(line))) assert.ok(tape.has(id), `entry ${id} is whole and not found`)
      }
      const [next] = tape.append([user("goes on")], { sync: true })
      const found = tape.store.heads()
      tape.close()
      for (const [file, content] of Object.entries(files)) {
        assert.deepEqual(bytesOf(disk, file).subarray(0, content.length), content, "nothing is taken away")
      }
      const again = reopen({ ...testPorts(disk), ids: testIds("c") })
      assert.deepEqual(again.store.heads(), found, "a second opening finds the same")
      assert.deepEqual(again.entriesOfBranch().at(-1), next)
      verifyTape(testPorts(disk), "/sessions/s1")
    }),
    { seed: 20250101, numRuns: 1500 },
  )
})

function bytesOf(disk: Disk, path: string): Buffer {
  return Buffer.from(readWhole(disk, path) ?? [])
}
