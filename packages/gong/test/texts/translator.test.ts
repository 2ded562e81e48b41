import assert from "node:assert/strict"
import { test } from "node:test"
import { spanText } from "../../src/texts/spans.ts"
import { english as en, translator } from "../../src/texts/translator.ts"

test("data is told with what is put into it; what nobody knows stays, and what foreign code said is quoted", async () => {
  const t = await translator("zh-CN")
  const pairs = [
    ["open in another gong (pid 7, this machine, 3 s)", "正在另一个 gong 中打开（进程 7，本机，3 s）"],
    [
      "this is no JSON: comma expected. Fix it there, or move the file away.",
      "这不是 JSON：此处应是逗号。请在那里改正，或把文件移走。",
    ],
    [
      "the header is no YAML at column 3: a tab indents this line. Use blanks.",
      "文件头不是 YAML（第 3 列）：这一行用制表符缩进。请改用空格。",
    ],
    ['Refused: the gate "a" gave no answer in time. Nothing was run.', "理由是：把关的“a”没有及时回答。"],
    ["Refused: no pushing. Nothing was run.", "理由是：no pushing."],
    ["something else", "something else"],
  ] as const
  for (const [english, text] of pairs) assert.equal(t.data(english), text)
  const off = "The extension a is off. Mend it; /reload loads it again."
  const isOff = "扩展 a 已停用。修好后用 /reload 重新加载。"
  const problems = [
    [
      `/x/a b.ts:3: boom. ${off}\n    at f (/x/a b.ts:3)`,
      `/x/a b.ts:3: 它报告“boom.”。${isOff}\n    at f (/x/a b.ts:3)`,
    ],
    [
      `it ended the thread of extensions: it called process.exit(). ${off}`,
      `它终止了扩展的线程：它调用了 process.exit()。${isOff}`,
    ],
    [
      "hook a, onInput: no b (reading 'c'): d. Mend it at /x/a.ts:3; /reload loads it again.",
      "钩子 a（onInput）：no b (reading 'c'): d。请在 /x/a.ts:3 改正；/reload 会重新加载。",
    ],
    [
      "hook a, beforeToolCall: no answer after 5000 ms; blocked",
      "钩子 a（beforeToolCall）：5000 毫秒后没有回答；已拒绝",
    ],
    ["a: said by an extension", "a: said by an extension"],
    ["a printed: 1 (More is left out.)", "a 输出：1 （其余省略。）"],
  ] as const
  for (const [english, text] of problems) assert.equal(t.problem(english), text)
  assert.equal(spanText(t, { text: "3 lines", phrase: { id: "{0} lines", values: [3] } }), "3 行")
  assert.equal(spanText(t, { text: "3 lines" }), "3 lines")
  for (const [english] of [...pairs, ...problems]) assert.equal(en.problem(english), english)
})
