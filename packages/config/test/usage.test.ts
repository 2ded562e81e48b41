import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf, phrase } from "@gong/spec"
import { english } from "@gong/texts/translator"
import {
  alternatives,
  attempt,
  codeOf,
  didYouMean,
  isFull,
  must,
  ok,
  sentenceOf,
  usage,
  usageLines,
} from "../src/usage.ts"

test("a usage error has complete lines, the program's name before the first, and exit status 2", () => {
  const { ok: isOk, error } = usage(phrase`no ${"x"} here.`, "More.")
  assert.deepEqual([isOk, error.exit, error.lines], [false, 2, ["gong: no x here.", "More."]])
  assert.deepEqual(usageLines(english, error), error.lines)
  assert.equal(englishOf(sentenceOf(error)), "no x here. More.", "for other frontends without the name")
  assert.equal(englishOf(sentenceOf({ ...error, texts: ["gong: plain"] })), "gong: plain")
  assert.equal(englishOf(sentenceOf({ ...error, texts: [phrase`other ${"x"}`] })), "other x")
})

test("alternatives are a list with or before the last", () => {
  for (const [words, text] of [
    [[], ""],
    [["a"], "a"],
    [["a", "b"], "a or b"],
    [["a", "b", "c"], "a, b or c"],
  ] as const)
    assert.equal(englishOf(alternatives(words)), text)
  assert.equal(englishOf(didYouMean("modle", ["mode", "model"])), " Did you mean model?")
  assert.equal(englishOf(didYouMean("zzz", ["mode", "model"])), "")
})

test("the code of an error, EIO without one; a full disk and a used up quota count as full", () => {
  const withCode = (code: string) => Object.assign(new Error("x"), { code })
  assert.deepEqual([codeOf(withCode("ENOENT")), codeOf(new Error("x")), codeOf(null)], ["ENOENT", "EIO", "EIO"])
  for (const [code, full] of [
    ["ENOSPC", true],
    ["EDQUOT", true],
    ["EIO", false],
    ["XENOSPC", false],
    ["ENOSPCX", false],
  ] as const)
    assert.equal(isFull(withCode(code)), full, code)
})

test("an error ends the steps of an attempt; an internal error is thrown", async () => {
  assert.deepEqual(await attempt(async () => must(ok(1)) + 1), { ok: true, value: 2 })
  const refused = usage("no.")
  assert.deepEqual(await attempt(async () => must(refused)), { ok: false, error: refused.error })
  await assert.rejects(
    attempt(async () => {
      throw new TypeError("internal")
    }),
    TypeError,
  )
  assert.throws(() => must(refused), { message: "gong: no." })
})
