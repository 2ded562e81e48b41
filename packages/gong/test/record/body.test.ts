import assert from "node:assert/strict"
import { test } from "node:test"
import { createRng } from "@gong/testing/sim/rng"
import { newInBodies } from "../../src/record/body.ts"
import { hiddenByte, type RecordedBody } from "../../src/record/lines.ts"

const bytesOf = (...pieces: readonly string[]) => pieces.map((piece) => Buffer.from(piece))

/** As a replay makes the bodies again. */
function madeAgain(bodies: readonly RecordedBody[]): readonly string[] {
  let last = Buffer.alloc(0)
  return bodies.map(({ kept, rest, end }) => {
    last = Buffer.concat([last.subarray(0, kept), Buffer.from(rest), last.subarray(last.length - end)])
    return last.toString()
  })
}

test("of a body only what is between the same beginning and the same end is kept, however its bytes are lent", () => {
  const newIn = newInBodies(() => [])
  const lent = Buffer.from('{"m":[1,2')
  const first = newIn([lent, ...bytesOf('],"tools":[]}')])
  lent.fill(0)
  assert.deepEqual(first, { kept: 0, rest: '{"m":[1,2],"tools":[]}', end: 0 })
  assert.deepEqual(newIn(bytesOf('{"m":[1', ",2", ',"three"', '],"tools":[]}')), { kept: 9, rest: ',"three"', end: 13 })
  assert.deepEqual(newIn(bytesOf('{"m":[1],"tools":[]}')), { kept: 7, rest: "", end: 13 })
})

test("no byte of a key is kept, also of one that goes through a cut, and every other byte keeps its place", () => {
  const key = "sk-secret-key"
  const newIn = newInBodies(() => [key, "other-key-1"])
  const bodies = ["start sk-sec", `start ${key} end`, `start ${key}s end`, `start ${key}s other-key-1 end`]
  const kept = bodies.map((body) => newIn(bytesOf(body)))
  assert.doesNotMatch(JSON.stringify(kept.slice(1)), /sk-secret|ret-key|other-key|her-key-1/)
  const hidden = (body: string) =>
    body.replaceAll(/sk-secret-key|other-key-1/g, (found) => String.fromCharCode(hiddenByte).repeat(found.length))
  assert.deepEqual(madeAgain(kept), bodies.map(hidden))
})

test("1,000 random bodies, each made of the one before, are made again byte for byte", () => {
  const rng = createRng(7)
  const alphabet = ["a", "b", "é", "中", "🐻", '"']
  const text = (): string => Array.from({ length: rng.int(12) }, () => alphabet[rng.int(alphabet.length)]).join("")
  const newIn = newInBodies(() => [])
  let body = ""
  const bodies = Array.from({ length: 1_000 }, () => {
    const characters = [...body]
    const from = rng.int(characters.length + 1)
    const to = from + rng.int(characters.length - from + 1)
    body = [...characters.slice(0, from), text(), ...characters.slice(to)].join("").slice(-200).toWellFormed()
    return body
  })
  const kept = bodies.map((one) => {
    const cut = rng.int(Buffer.byteLength(one) + 1)
    const bytes = Buffer.from(one)
    return newIn([bytes.subarray(0, cut), bytes.subarray(cut)])
  })
  assert.deepEqual(madeAgain(kept), bodies)
})
