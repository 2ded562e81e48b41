import assert from "node:assert/strict"
import { test } from "node:test"
import {
  deepFreeze,
  estimateMessage,
  estimateText,
  estimateTokens,
  imageTokens,
  type Message,
  userText,
} from "../src/index.ts"

test("[COMPACT-1.1] Chinese counts about 2 tokens a character, English about 1.3 a word, within a fifth", () => {
  const exact = 4 * 2 + 2 * 1.3
  const estimate = estimateTokens([userText("Hello 你好 World 世界")])
  assert.equal(estimate, 12)
  assert.ok(Math.abs(estimate - exact) / exact < 0.2)
})

test("[COMPACT-1.2] no messages are no tokens", () => assert.equal(estimateTokens([]), 0))

test("[COMPACT-S.04] plain ASCII text counts a quarter of its characters", () => {
  assert.equal(estimateText("a".repeat(400)), 100)
  assert.equal(estimateText("quarter words ".repeat(100)), 350)
})

test("[COMPACT-S.05] an image counts about 1200 tokens", () => {
  const image = { type: "image", mimeType: "image/png", data: "AAAA" } as const
  assert.equal(imageTokens, 1200)
  assert.equal(estimateTokens([userText("12345678", [image, image])]), 2402)
})

test("short words count by the word; kana, hangul, full-width marks and rare Han by the character", () => {
  assert.equal(estimateText("a b c d e f g h i j"), 13)
  for (const text of ["かなカナ", "한국말은", "，。！？", "\u{20000}\u{20001}\u{20002}\u{20003}"]) {
    assert.ok(Math.abs(estimateText(text) - 8) <= 1, text)
  }
  assert.equal(estimateText("Привет"), 2, "letters of other scripts are letters")
})

test("thoughts and calls count with their arguments; a frozen message is counted once", () => {
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
