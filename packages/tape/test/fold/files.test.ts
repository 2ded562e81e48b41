import assert from "node:assert/strict"
import { test } from "node:test"
import { type AppendEntry, filesChanged, filesSeen, type Fold } from "../../src/index.ts"
import { newTape, result, testPorts } from "../world.ts"

/** As it is read from the start, and as it is followed. */
function valuesOf<S>(fold: Fold<S>, ...bodies: readonly AppendEntry[]): readonly S[] {
  const tape = newTape(testPorts())
  const followed = tape.follow(fold)
  assert.ok(followed.value)
  tape.append(bodies, { sync: false })
  return [followed.value, tape.follow(fold).value]
}

test("the effect of a command on a file is found in its change; a created and deleted file is in no list", () => {
  const change = { type: "change", callId: "c1", path: "/a", before: null, after: "00" } as const
  const file = { path: "/a", change: "modified", added: 2, removed: 1 } as const
  for (const value of valuesOf(filesChanged, change, { ...change, file })) assert.deepEqual([...value.values()], [file])
  const made = (kind: "created" | "deleted") => result("c", null, [{ ...file, change: kind }])
  for (const value of valuesOf(filesChanged, made("created"), made("deleted"))) assert.equal(value.size, 0)
})

test("a span of a command has both its numbers, and those of hooks count as well, whatever other fields it has", () => {
  const span = { started_at: 5, duration_ms: 2 }
  const hooks = [null, 7, { started_at: 9, duration_ms: 1 }, { started_at: 9 }, { duration_ms: 1 }]
  for (const [details, spans] of [
    [
      { ...span, hooks },
      [
        { from: 5, to: 7 },
        { from: 9, to: 10 },
      ],
    ],
    [{ hooks }, [{ from: 9, to: 10 }]],
    [{ ...span, hooks: 7 }, [{ from: 5, to: 7 }]],
    [{ started_at: 5, duration_ms: "2" }, []],
    [{ started_at: "5", duration_ms: 2 }, []],
  ] as const)
    for (const { commands } of valuesOf(filesSeen, result("c1", details))) assert.deepEqual(commands, spans)
})

test("a file was seen only when path, size and time are what they must be", () => {
  const file = { path: "/a", size: 3, mtimeMs: 1 }
  const wrong = [{ path: 5 }, { size: "3" }, { mtimeMs: "1" }, { sha256: 7 }].map((more) => ({ ...file, ...more }))
  for (const { files } of valuesOf(filesSeen, result("c1", { seen: [file, ...wrong, null, 7] })))
    assert.deepEqual([...files.values()], [file])
  const hashed = { ...file, sha256: "h1" }
  for (const [again, known] of [
    [file, hashed],
    [
      { ...file, sha256: "h2" },
      { ...file, sha256: "h2" },
    ],
    [
      { ...file, size: 4 },
      { ...file, size: 4 },
    ],
    [
      { ...file, mtimeMs: 2 },
      { ...file, mtimeMs: 2 },
    ],
  ] as const)
    for (const { files } of valuesOf(filesSeen, result("c1", { seen: hashed }), result("c2", { seen: again })))
      assert.deepEqual(files.get("/a"), known)
})
