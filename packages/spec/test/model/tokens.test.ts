import assert from "node:assert/strict"
import { test } from "node:test"
import {
  deepFreeze,
  estimateMessage,
  estimateText,
  estimateTokens,
  imageTokens,
  type Message,
  textOf,
  userText,
} from "../../src/index.ts"

test("[COMPACT-1.1] Chinese counts about 2 tokens a character, English about 1.3 a word, within a fifth", () => {
  const exact = 4 * 2 + 2 * 1.3
  const estimate = estimateTokens([userText("Hello 你好 World 世界")])
  assert.equal(estimate, 12)
  assert.ok(Math.abs(estimate - exact) / exact < 0.2)
})

test("[COMPACT-1.2] an empty list of messages has no tokens", () => assert.equal(estimateTokens([]), 0))

test("[COMPACT-S.04] plain ASCII text counts a quarter of its characters", () => {
  assert.equal(estimateText("a".repeat(400)), 100)
  assert.equal(estimateText("quarter words ".repeat(100)), 350)
})

test("[COMPACT-S.05] an image counts about 1200 tokens", () => {
  const image = { type: "image", mimeType: "image/png", data: "AAAA" } as const
  assert.equal(imageTokens, 1200)
  assert.equal(estimateTokens([userText("12345678", [image, image])]), 2402)
})

test("short words count per word; kana, hangul, full-width marks and rare Han per character", () => {
  assert.equal(estimateText("a b c d e f g h i j"), 13)
  for (const text of ["かなカナ", "한국말은", "，。！？", "\u{20000}\u{20001}\u{20002}\u{20003}"]) {
    assert.ok(Math.abs(estimateText(text) - 8) <= 1, text)
  }
  assert.equal(estimateText("Привет"), 2, "letters of other scripts are letters")
})

test("reasoning and calls with their arguments count; a frozen message is counted once", () => {
  const call = { type: "tool_call", id: "c1", name: "read", arguments: { path: "a".repeat(80) } } as const
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
  const model = { provider: "p", id: "m", api: "x" }
  const content = [{ type: "thinking", text: "t".repeat(40) } as const, call]
  const message: Message = { role: "assistant", content, model, stopReason: "tool_calls", usage, cost: 0 }
  const whole = estimateMessage(message)
  assert.ok(whole >= 10 + 20 && whole <= 40, `${whole}`)
  let reads = 0
  const watched = new Proxy(deepFreeze(message), {
    get: (target, key) => {
      if (key === "content") reads += 1
      return Reflect.get(target, key) as unknown
    },
  })
  assert.equal(estimateMessage(watched), whole)
  assert.equal(estimateMessage(watched), whole)
  assert.equal(reads, 1)
})

test("which characters count singly, at the edges of their blocks", () => {
  const ofHundred = (unit: number) => {
    const isPair = unit >= 0xd800 && unit <= 0xdbff
    return estimateText((isPair ? String.fromCharCode(unit, 0xdc00) : String.fromCharCode(unit)).repeat(100))
  }
  for (const unit of [0x2e80, 0xa4cf, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xff00, 0xffef])
    assert.equal(ofHundred(unit), 200, unit.toString(16))
  for (const unit of [0x2e7f, 0xa4d0, 0xabff, 0xd7a4, 0xe000, 0xf8ff, 0xfb00, 0xfeff, 0xfff0])
    assert.equal(ofHundred(unit), 25, unit.toString(16))
  for (const unit of [0xd840, 0xd888]) assert.equal(ofHundred(unit), 225, unit.toString(16))
  for (const unit of [0xd83f, 0xd889]) assert.equal(ofHundred(unit), 50, unit.toString(16))
})

test("a word begins after a space or after a character that counts singly", () => {
  assert.equal(estimateText("! ".repeat(100)), 130)
  assert.equal(estimateText("中a".repeat(100)), 330)
  assert.equal(estimateText("a\n".repeat(100)), 130)
})

test("a mutable message is counted each time", () => {
  const content = [{ type: "text" as const, text: "a".repeat(40) }]
  const message = { role: "user" as const, content }
  assert.equal(estimateMessage(message), 10)
  content.push({ type: "text", text: "a".repeat(40) })
  assert.equal(estimateMessage(message), 20)
})

test("characters count by their ranges, each edge with the one beside it", () => {
  for (const [text, tokens] of [
    ["\u2e7f".repeat(4), 2],
    ["\u2e80".repeat(4), 8],
    ["\ua4cf".repeat(4), 8],
    ["\ua4d0".repeat(4), 2],
    ["\uabff".repeat(4), 2],
    ["\uac00".repeat(4), 8],
    ["\ud7a3".repeat(4), 8],
    ["\ud7a4".repeat(4), 2],
    ["\u{20000}".repeat(4), 9],
    ["\u{323af}".repeat(4), 9],
    ["\u{1f600}".repeat(4), 2],
    ["\uf8ff".repeat(4), 2],
    ["\uf900".repeat(4), 8],
    ["\ufaff".repeat(4), 8],
    ["\ufb00".repeat(4), 2],
    ["\ufeff".repeat(4), 2],
    ["\uff00".repeat(4), 8],
    ["\uffef".repeat(4), 8],
    ["\ufff0".repeat(4), 2],
    ["a b", 3],
    ["a\u001fb", 3],
    ["a\u0021b", 2],
    ["a\u4f60b", 5],
    ["", 0],
  ] as const)
    assert.equal(estimateText(text), tokens, JSON.stringify(text))
})

test("the text of a message is its blocks of text, one per line, without empty ones", () => {
  const text = (words: string) => ({ type: "text", text: words }) as const
  const thinking = { type: "thinking", text: "hm" } as const
  assert.equal(textOf({ content: [text("a"), text(""), thinking, text("b")] }), "a\nb")
  assert.equal(textOf({ content: [] }), "")
})

test("a frozen value is frozen in all its depth; bytes stay as they are", () => {
  const value = { list: [{ a: [1] }], bytes: new Uint8Array(1), inner: { b: {} }, none: null }
  assert.equal(deepFreeze(value), value)
  for (const part of [value, value.list, value.list[0], value.list[0]?.a, value.inner, value.inner.b])
    assert.equal(Object.isFrozen(part), true)
  assert.equal(Object.isFrozen(value.bytes), false)
})
