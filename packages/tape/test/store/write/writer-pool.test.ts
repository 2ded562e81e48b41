import assert from "node:assert/strict"
import { test } from "node:test"
import { bytes, close, leads, one, open, placed, recorded, sync, two, write } from "./writer-world.ts"

const pooled = ["syncInPool 001_one/e", "syncInPool 001_one", "syncInPool /t"]

test("in the thread pool an append only writes; the sync is of the file, and the first time of what leads to it", async () => {
  const { writer, taken, ended, text } = recorded({ syncMode: "thread-pool" })
  writer.begin(one, bytes("anchor\n"))
  writer.append(bytes("a\n"), false)
  assert.deepEqual([taken(), writer.settled()], [["mkdir 001_one", open, write, write], null])
  writer.append(bytes("b\n"), true)
  const settled = writer.settled()
  assert.deepEqual(taken(), [write, pooled[0]])
  await ended()
  await settled
  assert.deepEqual([taken(), writer.settled()], [pooled.slice(1), null])
  writer.append(bytes("c\n"), false)
  writer.beginSync()
  assert.deepEqual(taken(), [write, pooled[0]])
  await ended()
  assert.deepEqual(taken(), [])
  writer.close()
  assert.deepEqual([taken(), text()], [[close], "anchor\na\nb\nc\n"])
})

test("entries written during a sync do not count as durable by it", async () => {
  const { writer, taken, ended } = recorded({ syncMode: "thread-pool" })
  writer.begin(one, bytes("anchor\n"))
  writer.append(bytes("a\n"), true)
  writer.append(bytes("b\n"), false)
  await ended()
  taken()
  writer.close()
  assert.deepEqual(taken(), [sync, close])
})

test("a file is closed when the sync of it has ended, and its rest is synced at once", async () => {
  for (const end of ["close", "begin"] as const) {
    const { writer, taken, ended } = recorded({ syncMode: "thread-pool" })
    writer.begin(one, bytes("anchor\n"))
    writer.append(bytes("a\n"), true)
    if (end === "begin") writer.append(bytes("b\n"), false)
    taken()
    if (end === "close") writer.close()
    else writer.begin(two, bytes("next\n"))
    assert.deepEqual(taken(), end === "close" ? [sync, ...leads] : [...leads, open, sync, close, ...placed])
    await ended()
    assert.deepEqual(
      taken().filter((call) => call === close || call === sync),
      [close],
    )
    assert.equal(writer.settled(), null)
  }
})

test("a failed sync in the thread pool rejects all waits, and is the writer's failure", async () => {
  const { writer, faults, ended } = recorded({ syncMode: "thread-pool" })
  writer.begin(one, bytes("anchor\n"))
  faults.set("syncInPool", { code: "EIO" })
  writer.append(bytes("a\n"), true)
  const settled = writer.settled()
  assert.ok(settled !== null)
  const refused = assert.rejects(settled, /EIO/)
  await ended()
  await refused
  assert.match(String(writer.failure?.error), /EIO/)
})

test("entries appended without sync settle in the pool once all are requested, and closing then syncs nothing", async () => {
  for (const more of [false, true]) {
    const { writer, taken, ended } = recorded({ syncMode: "thread-pool" })
    writer.begin(one, bytes("anchor\n"))
    if (more) writer.append(bytes("a\n"), false)
    assert.equal(writer.settled(), null)
    taken()
    const settled = writer.settled("all")
    assert.ok(settled !== null)
    await ended()
    await settled
    assert.deepEqual([taken(), writer.settled("all")], [pooled, null])
    writer.close()
    assert.deepEqual(taken(), [close])
  }
})
