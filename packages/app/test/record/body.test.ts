import assert from "node:assert/strict"
import { test } from "node:test"
import { createRng } from "@gong/testing/sim/rng"
import { bodyDeltas } from "../../src/record/body.ts"
import { hiddenByte, type RecordedBody } from "../../src/record/lines.ts"

const bytesOf = (...pieces: readonly string[]) => pieces.map((piece) => Buffer.from(piece))

/** Rebuilds the bodies, like a replay. */
function madeAgain(bodies: readonly RecordedBody[]): readonly string[] {
  let last = Buffer.alloc(0)
  return bodies.map(({ kept, rest, end }) => {
    last = Buffer.concat([last.subarray(0, kept), Buffer.from(rest), last.subarray(last.length - end)])
    return last.toString()
  })
}

test("of a body only the part between common prefix and suffix is stored, even if its bytes are reused", () => {
  const newIn = bodyDeltas(() => [])
  const lent = Buffer.from('{"m":[1,2')
  const first = newIn([lent, ...bytesOf('],"tools":[]}')])
  lent.fill(0)
  assert.deepEqual(first, { kept: 0, rest: '{"m":[1,2],"tools":[]}', end: 0 })
  assert.deepEqual(newIn(bytesOf('{"m":[1', ",2", ',"three"', '],"tools":[]}')), { kept: 9, rest: ',"three"', end: 13 })
  assert.deepEqual(newIn(bytesOf('{"m":[1],"tools":[]}')), { kept: 7, rest: "", end: 13 })
})

test("no byte of a key is stored, even of one across a cut, and all other bytes keep their position", () => {
  const key = "sk-secret-key"
  const newIn = bodyDeltas(() => [key, "other-key-1"])
  const bodies = ["start sk-sec", `start ${key} end`, `start ${key}s end`, `start ${key}s other-key-1 end`]
  const kept = bodies.map((body) => newIn(bytesOf(body)))
  assert.doesNotMatch(JSON.stringify(kept.slice(1)), /sk-secret|ret-key|other-key|her-key-1/)
  const hidden = (body: string) =>
    body.replaceAll(/sk-secret-key|other-key-1/g, (found) => String.fromCharCode(hiddenByte).repeat(found.length))
  assert.deepEqual(madeAgain(kept), bodies.map(hidden))
})

/** Bodies each made of the one before, whose pieces share bytes at both ends; each in two halves, cut anywhere. */
function randomBodies(
  pieces: readonly string[],
  most: number,
): readonly { readonly text: string; readonly halves: readonly Buffer[] }[] {
  const rng = createRng(7)
  const text = (): readonly string[] => Array.from({ length: rng.int(12) }, () => pieces[rng.int(pieces.length)] ?? "")
  let body: readonly string[] = []
  return Array.from({ length: 1_000 }, () => {
    const from = rng.int(body.length + 1)
    const to = from + rng.int(body.length - from + 1)
    body = [...body.slice(0, from), ...text(), ...body.slice(to)].slice(-most)
    const bytes = Buffer.from(body.join(""))
    const cut = rng.int(bytes.length + 1)
    return { text: body.join(""), halves: [bytes.subarray(0, cut), bytes.subarray(cut)] }
  })
}

test("1,000 random bodies, each derived from the previous one, are rebuilt byte for byte", () => {
  const newIn = bodyDeltas(() => [])
  const bodies = randomBodies(["a", "b", "é", "è", "©", "中", "丰", "丠", "🐻", "🐼", '"'], 100)
  const kept = bodies.map(({ halves }) => newIn(halves))
  assert.deepEqual(
    madeAgain(kept),
    bodies.map(({ text }) => text),
  )
})

test("in 1,000 random bodies only keys are hidden, or bytes that belonged to an earlier key", () => {
  const keys = ["KEY-1", "other"]
  const newIn = bodyDeltas(() => keys)
  const bodies = randomBodies(["a", "é", "©", "KEY-1", "KE", "Y-1", "KEY-", "EY-1", "other", "oth", "er"], 40)
  const kept = bodies.map(({ halves }) => newIn(halves))
  const hidden = String.fromCharCode(hiddenByte)
  for (const [at, made] of madeAgain(kept).entries()) {
    const { text } = bodies[at] ?? { text: "" }
    const clean = keys.reduce((left, key) => left.replaceAll(key, hidden.repeat(key.length)), text)
    assert.equal(made.length, text.length)
    assert.deepEqual([...made].map((char, place) => (char === hidden ? hidden : clean[place])).join(""), made)
    assert.deepEqual(
      [...clean].flatMap((char, place) => (char === hidden && made[place] !== hidden ? [place] : [])),
      [],
    )
    for (const key of keys) assert.ok(!kept[at]?.rest.includes(key))
  }
})

test("a body that ends where the longer previous one had a key contains no key there", () => {
  const newIn = bodyDeltas(() => ["other"])
  newIn(bytesOf("an other word"))
  assert.deepEqual(newIn(bytesOf("an oth")), { kept: 6, rest: "", end: 0 })
  assert.deepEqual(newIn(bytesOf("an oth, another")), { kept: 6, rest: ", an\u0018\u0018\u0018\u0018\u0018", end: 0 })
})

test("a key next to a cut stays with the earlier content", () => {
  const newIn = bodyDeltas(() => ["kk"])
  newIn(bytesOf("a kk b"))
  assert.deepEqual(newIn(bytesOf("a kk c")), { kept: 5, rest: "c", end: 0 })
  assert.deepEqual(newIn(bytesOf("d kk c")), { kept: 0, rest: "d", end: 5 })
  assert.deepEqual(newIn(bytesOf("d kkc")), { kept: 4, rest: "", end: 1 })
  assert.deepEqual(newIn(bytesOf("kkc")), { kept: 0, rest: "", end: 3 })
})

test("an unchanged body is kept completely, and so is a shortened one", () => {
  const newIn = bodyDeltas(() => [])
  for (const [body, expected] of [
    ["one two three", { kept: 0, rest: "one two three", end: 0 }],
    ["one two three", { kept: 13, rest: "", end: 0 }],
    ["one two", { kept: 7, rest: "", end: 0 }],
    ["two", { kept: 0, rest: "", end: 3 }],
    ["", { kept: 0, rest: "", end: 0 }],
    ["again", { kept: 0, rest: "again", end: 0 }],
    ["once again", { kept: 0, rest: "once ", end: 5 }],
    ["中xyz", { kept: 0, rest: "中xyz", end: 0 }],
    ["íxyz", { kept: 0, rest: "í", end: 3 }],
  ] as const)
    assert.deepEqual(newIn(bytesOf(body)), expected, body)
})

test("the common prefix is counted across all chunks, even if the buffer grows", () => {
  const newIn = bodyDeltas(() => [])
  newIn(bytesOf("Bxxyy"))
  assert.deepEqual(newIn(bytesOf("A", "xx", "yy")), { kept: 0, rest: "A", end: 4 })
  assert.deepEqual(newIn(bytesOf("A", "xx", "zz")), { kept: 3, rest: "zz", end: 0 })
  let body = "Axxzz"
  for (let round = 0; round < 5; round++) {
    const longer = `${body}${"+".repeat(body.length * 2 + 1)}`
    assert.deepEqual(newIn(bytesOf(longer)), { kept: body.length, rest: longer.slice(body.length), end: 0 })
    body = longer
  }
})

test("bodies of more than one block are compared exactly", () => {
  const newIn = bodyDeltas(() => [])
  const long = "x".repeat(200_000)
  newIn(bytesOf(`${long}end`))
  for (const at of [65_535, 65_536, 65_537, 131_072, 199_999]) {
    const changed = `${long.slice(0, at)}y${long.slice(at + 1)}end`
    const { kept, rest, end } = newIn(bytesOf(changed))
    assert.deepEqual([kept, rest, end], [at, "y", 200_003 - at - 1])
    newIn(bytesOf(`${long}end`))
  }
})
