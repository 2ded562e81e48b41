import assert from "node:assert/strict"
import { test } from "node:test"
import { type Disk, memoryDisk, type StorePorts } from "../../../src/store/file.ts"
import { readWhole } from "../../../src/store/disk/disk.ts"
import { scanTapes } from "../../../src/index/index.ts"
import { newTape, putFile, testPorts, user } from "../../world.ts"

const lines = "anchors/001_session-start/entries.jsonl"
const forever = { limit: 100, milliseconds: 1000 }
const ports = (): StorePorts => testPorts(memoryDisk())

/** Tapes that hold these texts, each in an entry of its own. */
function tapesOf(world: StorePorts, ...texts: readonly (readonly string[])[]): readonly string[] {
  return texts.map((printed, at) => {
    const tape = newTape(world, "/sessions", `s${at}`)
    tape.append(
      printed.map((text) => user(text)),
      { sync: false },
    )
    tape.close()
    return `/sessions/s${at}`
  })
}

const found = (world: StorePorts, tapes: readonly string[], wanted: string, options = forever) => {
  const { hits, ...rest } = scanTapes(world, tapes, wanted, options)
  return { ...rest, hits: hits.map(({ path, entry, snippet }) => [path, entry.type, snippet.text, snippet.marks]) }
}

test("just these characters are looked for, in the order of the tapes and of their lines", () => {
  const world = ports()
  const tapes = tapesOf(world, ["one Needle", "needle a", "b needle"], ["none"], ['a "needle"\n\tb'])
  const { hits, more, tapes: count, bytes } = found(world, tapes, "needle")
  assert.deepEqual(hits, [
    ["/sessions/s0", "message", "needle a", [[0, 6]]],
    ["/sessions/s0", "message", "b needle", [[2, 8]]],
    ["/sessions/s2", "message", 'a "needle"  b', [[3, 9]]],
  ])
  const size = (path: string): number => world.disk.stat(`${path}/${lines}`)?.size ?? 0
  assert.deepEqual([more, count, bytes], [false, 3, tapes.reduce((sum, path) => sum + size(path), 0)])
  assert.deepEqual(found(world, tapes, '"needle"\n').hits.length, 1, "as it stands in the text, not in the line")
  const nothing = { hits: [], tapes: 0, bytes: 0, more: false }
  assert.deepEqual(found(world, tapes, ""), nothing)
  assert.deepEqual(found(world, [], "needle"), nothing)
  assert.deepEqual(found(world, tapes, "session-start").hits[0]?.slice(1), ["anchor", "session-start", [[0, 13]]])
  assert.deepEqual(found(world, tapes, "parentId").hits, [], "keys of a line are no text")
})

test("it stops after enough hits, and reports whether there may be more", () => {
  const world = ports()
  const tapes = tapesOf(world, ["needle 1", "needle 2"], ["needle 3"])
  const at = (limit: number) => {
    const { hits, more, tapes: count } = found(world, tapes, "needle", { ...forever, limit })
    return [hits.length, more, count]
  }
  assert.deepEqual([1, 2, 3, 4].map(at), [
    [1, true, 1],
    [2, true, 1],
    [3, false, 2],
    [3, false, 2],
  ])
  const { hits, more } = found(world, tapes.slice(0, 1), "needle", { ...forever, limit: 1 })
  assert.deepEqual([hits.length, more], [1, true])
})

test("it stops when its time is up, at the end of a tape", () => {
  const world = ports()
  const tapes = tapesOf(world, ["needle 1"], ["needle 2"])
  for (const [milliseconds, hits, more] of [
    [0, 0, true],
    [1, 1, true],
    [2, 2, false],
  ] as const) {
    let now = 0
    const clock = { now: () => now++ }
    const scanned = scanTapes({ disk: world.disk, clock }, tapes, "needle", {
      limit: 9,
      milliseconds: milliseconds + 1,
    })
    assert.deepEqual([scanned.hits.length, scanned.more, scanned.tapes], [hits, more, hits])
  }
})

test("a snippet begins forty characters before the hit and is 160 long, or as long as the query", () => {
  const world = ports()
  const long = "n".repeat(150)
  const [path = ""] = tapesOf(world, [
    `${"-".repeat(41)}needle${"+".repeat(200)}`,
    `${"=".repeat(40)}${long}`,
    "😀needle",
  ])
  const one = (wanted: string) => found(world, [path], wanted).hits[0]?.slice(2)
  assert.deepEqual(one("needle"), [`${"-".repeat(40)}needle${"+".repeat(114)}`, [[40, 46]]])
  assert.deepEqual(one(long), [`${"=".repeat(40)}${long}`, [[40, 190]]])
  assert.deepEqual(one("-needle")?.[1], [[40, 47]])
})

test("damaged lines, missing files and folders without a tape are skipped", () => {
  const world = ports()
  const tapes = tapesOf(world, ["needle 1", "needle 2"])
  const file = `${tapes[0]}/${lines}`
  const text = Buffer.from(readWhole(world.disk, file) ?? []).toString()
  putFile(world.disk, file, Buffer.from(text.replace("needle 1", "needle 7")))
  world.disk.mkdir(`${tapes[0]}/anchors/002_empty`)
  const { hits } = found(world, ["/sessions/none", ...tapes], "needle")
  assert.deepEqual(
    hits.map(([, , printed]) => printed),
    ["needle 2"],
  )
  const refused: Disk = { ...world.disk, open: () => assert.fail("nothing is opened") }
  assert.deepEqual(found({ ...world, disk: refused }, ["/sessions/none"], "needle").hits, [])
})
