import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, phrase } from "@gong/spec"
import { spanText } from "../src/spans.ts"
import { english as en, translator } from "../src/translator.ts"

const zh = await translator("zh-CN")

test("a phrase is translated by its id, including nested phrases; strings and unknown ids stay", () => {
  const held = phrase`open in another gong (pid ${7}, ${phrase`this machine`}, ${"3 s"})`
  const pairs = [
    [phrase`This session is ${held}`, "这个会话正在另一个 gong 中打开（进程 7，本机，3 s）"],
    [phrase`Refused: ${"no pushing."} Nothing was run.`, "理由是：no pushing."],
    [phrase`something else`, "something else"],
    // Foreign text that happens to equal a text of Gong.
    [phrase`${"a"} printed: ${"this machine"}`, "a 输出：this machine"],
    [phrase("constructor"), "constructor"],
  ] as const
  for (const [text, expected] of pairs) assert.equal(zh(text), expected)
  assert.equal(zh.text("this machine"), "this machine")
  assert.equal(zh("steps"), "步骤")
  assert.equal(en(held), "open in another gong (pid 7, this machine, 3 s)")
})

test("a failure is translated by its phrases, and stays English without them", () => {
  const known = failure("network", phrase`${"a"} sent an empty reply`, { hint: phrase`gong login ${"a"} takes one.` })
  assert.deepEqual([zh(known), zh.hint(known)], ["a 发来空的回复", "gong login a 可保存一个。"])
  const { phrases: _, ...old } = known
  assert.deepEqual([zh(old), zh.hint(old)], ["a sent an empty reply", "gong login a takes one."])
  assert.equal(zh.hint(failure("network", "x")), null)
})

test("a span of a renderer is its own text or a phrase", () => {
  assert.equal(spanText(zh, { text: "3 lines", phrase: { id: "{0} lines", values: [3] } }), "3 行")
  assert.equal(spanText(zh, { text: "3 lines" }), "3 lines")
})
