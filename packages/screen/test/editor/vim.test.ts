import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { emptyEditor, insert, withText } from "@gong/screen/editor"
import { initialVim, vimEscape, vimKey, type VimResult, vimTyped } from "@gong/screen/vim"

const ESC = "\u001b"

/** Types keys into a text whose caret is at its beginning, in normal mode. The result has a bar at the caret. */
function after(text: string, keys: string): string {
  const { editor } = run(
    { vim: { ...initialVim, mode: "normal" }, editor: { ...withText(emptyEditor, text), caret: 0 } },
    keys,
  )
  return `${editor.text.slice(0, editor.caret)}|${editor.text.slice(editor.caret)}`
}

function run(start: VimResult, keys: string): VimResult {
  let { vim, editor } = start
  for (const key of keys)
    if (key === ESC) ({ vim, editor } = vimEscape(vim, editor))
    else if (vim.mode === "insert") [vim, editor] = [vimTyped(vim, key), insert(editor, key)]
    else ({ vim, editor } = vimKey(vim, editor, key))
  return { vim, editor }
}

const cases: readonly (readonly [text: string, keys: string, result: string])[] = [
  ["one two", "w", "one |two"],
  ["one.two three", "w", "one|.two three"],
  ["one two three", "2w", "one two |three"],
  ["one two", "$", "one tw|o"],
  ["one two", "$b", "one |two"],
  ["one two", "e", "on|e two"],
  ["one two", "ee", "one tw|o"],
  ["  one", "^", "  |one"],
  ["one\ntwo\nthree", "G", "one\ntwo\n|three"],
  ["one\ntwo", "Ggg", "|one\ntwo"],
  ["one\ntwo", "jl", "one\nt|wo"],
  ["a(b, c)", "f,", "a(b|, c)"],
  ["a(b, c)", "t)", "a(b, |c)"],
  ["a(b, c)", "$Fb", "a(|b, c)"],
  ["a(b, c)", "fz", "|a(b, c)"],
  ["一二 三", "wx", "一二 |"],
  ["one two three", "dw", "|two three"],
  ["one two three", "d2w", "|three"],
  ["one two", "wdw", "one |"],
  ["one two\nthree", "wdw", "one |\nthree"],
  ["one two", "de", "| two"],
  ["one two", "wD", "one |"],
  ["one two", "wd0", "|two"],
  ["a(b, c)", "dt)", "|)"],
  ["one two", "x", "|ne two"],
  ["one two", "3x", "| two"],
  ["one\ntwo\nthree", "dd", "|two\nthree"],
  ["one\ntwo\nthree", "jdd", "one\n|three"],
  ["one\ntwo\nthree", "2jdd", "one\n|two"],
  ["one\ntwo\nthree", "2dd", "|three"],
  ["one\ntwo\nthree", "dj", "|three"],
  ["one", "dd", "|"],
  ["one two three", "wdiw", "one | three"],
  ["one two three", "wdaw", "one |three"],
  ["one two", `cwother${ESC}`, "othe|r two"],
  ["one two", `wCend${ESC}`, "one en|d"],
  ["one\ntwo", `ccnew${ESC}`, "ne|w\ntwo"],
  ["one two", `wciwsome${ESC}`, "one som|e"],
  ["one two", "yiwP", "on|eone two"],
  ["one two", "wyw0P", "tw|oone two"],
  ["one\ntwo", "yyp", "one\n|one\ntwo"],
  ["one\ntwo", "yyjp", "one\ntwo\n|one"],
  ["one\ntwo", "ddp", "two\n|one"],
  ["ab", "xp", "b|a"],
  ["one two", "rX", "|Xne two"],
  ["one", "~", "O|ne"],
  ["one two", "dwu", "|one two"],
  ["one two three", "dw.", "|three"],
  ["one two three", `cwx${ESC}w.`, "x |x three"],
  ["one", `Aend${ESC}`, "oneen|d"],
  ["  one", `Ix${ESC}`, "|x  one"],
  ["one", `otwo${ESC}`, "one\ntw|o"],
  ["one", `Otwo${ESC}`, "tw|o\none"],
  ["one", `ax${ESC}`, "o|xne"],
  ["one\ntwo\nthree", "Vjd", "|three"],
  ["one\ntwo\nthree", "jVyP", "one\n|two\ntwo\nthree"],
  ["one two", `d${ESC}x`, "|ne two"],
  ["one two", "dzx", "|ne two"],
]

for (const [text, keys, result] of cases)
  test(`vi: ${JSON.stringify(keys)} in ${JSON.stringify(text)}`, () => assert.equal(after(text, keys), result))

test("vi: after any keys the caret is in the text, and undo leads back", () => {
  const key = fc.constantFrom(..."hjklwbe0^$gGfFtTdcyxXpPruiaIAoOsSDCYvV.~123 aé中\u001b")
  const text = fc.array(fc.constantFrom("word ", "中文", ".", "\n", "👩‍👩‍👧", "e\u0301"), { maxLength: 12 })
  fc.assert(
    fc.property(text, fc.array(key, { maxLength: 30 }), (parts, keys) => {
      const begin = {
        vim: { ...initialVim, mode: "normal" as const },
        editor: { ...withText(emptyEditor, parts.join("")), caret: 0 },
      }
      const { editor } = run(begin, keys.join(""))
      assert.ok(editor.caret >= 0 && editor.caret <= editor.text.length)
    }),
    { numRuns: 500, seed: 20 },
  )
})
