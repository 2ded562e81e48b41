import assert from "node:assert/strict"
import { test } from "node:test"
import { nearest, nearestNames } from "../../src/index.ts"

test("the nearest name is at most a third of the word away, or one slip", () => {
  for (const [word, known, expected] of [
    ["edti", ["read", "edit"], "edit"],
    ["EDIT", ["edit"], "edit"],
    ["edit", ["EDIT"], "EDIT"],
    ["rea", ["read"], "read"],
    ["reads", ["read"], "read"],
    ["xead", ["read"], "read"],
    ["dread", ["read"], "read"],
    ["abc", ["xyc"], null],
    ["ab", ["abx"], "abx"],
    ["ab", ["abxy"], null],
    ["a", ["b"], null],
    ["ab", ["ba"], "ba"],
    ["a", ["ab"], null],
    ["abcdef", ["abcdxy"], "abcdxy"],
    ["abcdef", ["abcxyz"], null],
    ["abcde", ["abcxy"], null],
    ["abcdef", ["abcdefgh"], null],
    ["abcdefgh", ["abcdefghij"], "abcdefghij"],
    ["abcd", ["badc"], null],
    ["abcdef", ["badcef"], "badcef"],
    ["abcd", ["bdca"], null],
    ["", ["a"], null],
    ["word", [], null],
  ] as const)
    assert.equal(nearest(word, known), expected, `${word} ${known.join()}`)
})

test("a word over 64 characters has no nearest name", () => {
  const word = "a".repeat(64)
  assert.equal(nearest(word, [`${word}b`]), `${word}b`)
  assert.equal(nearest(`${word}b`, [`${word}b`]), null)
})

test("names are listed by distance, those of equal length first, others in their order", () => {
  const known = ["models", "modal", "mode", "model", "moral", "other"]
  assert.deepEqual(nearestNames("model", known, 9), ["model", "modal", "models", "mode"])
  assert.deepEqual(nearestNames("model", known, 2), ["model", "modal"])
  assert.deepEqual(nearestNames("model", known, 0), [])
  assert.equal(nearest("modl", ["modll", "modk"]), "modk")
})
