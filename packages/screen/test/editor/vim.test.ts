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
  ["one\ntwo", `ix${ESC}`, "|xone\ntwo"],
  ["one\ntwo", `jix${ESC}`, "one\n|xtwo"],
  ["one\ntwo", `ji${ESC}`, "one\n|two"],
  ["one", `i${ESC}`, "|one"],
  ["one", `$a${ESC}`, "on|e"],
  ["one\ntwo", `$la!${ESC}`, "one|!\ntwo"],
  ["one\n\ntwo", `jax${ESC}`, "one\n|x\ntwo"],
  ["one two", "2d2w", "|"],
  ["a b c d e", "2d2w", "|e"],
  ["a b c d e", "10x", "|"],
  ["one two", "y$P", "one tw|oone two"],
  ["one two", "yw$p", "one twoone| "],
  ["one", "yyP", "|one\none"],
  ["one", "yy2p", "one\n|one\none"],
  ["ab", "x2p", "ba|a"],
  ["", "p", "|"],
  ["one\ntwo", "jyykp", "one\n|two\ntwo"],
  ["one\ntwo\nthree", "Gdd", "one\n|two"],
  ["one\ntwo", "ddP", "|one\ntwo"],
  ["one\ntwo", "dG", "|"],
  ["one\ntwo\nthree", "jdG", "|one"],
  ["one\ntwo\nthree", "Gdgg", "|"],
  ["one\ntwo\nthree", "jdk", "|three"],
  ["one\ntwo", "rX", "|Xne\ntwo"],
  ["one\ntwo", "$lrX", "one|\ntwo"],
  ["", "rX", "|"],
  ["", "~", "|"],
  ["aBc", "~~~", "AbC|"],
  ["1a", "~~", "1A|"],
  ["é中", "~~", "É中|"],
  ["👍🏽b", "rX", "|Xb"],
  ["one two three", "dwwu", "|one two three"],
  ["a b c d", "dw..", "|d"],
  ["abcdef", "2x.", "|ef"],
  ["abc", "rX.l.", "X|Xc"],
  ["ab", ".", "|ab"],
  ["ab", "yl.", "|ab"],
  ["abc", `ix${ESC}l.`, "x|xabc"],
  ["a b c", `cwx${ESC}w.w.`, "x x |x"],
  ["one two", `sX${ESC}`, "|Xne two"],
  ["one\ntwo", `Snew${ESC}`, "ne|w\ntwo"],
  ["one two", "wX", "one|two"],
  ["one", "X", "|one"],
  ["one\ntwo", "jX", "one\n|two"],
  ["one\ntwo", "YjP", "one\n|one\ntwo"],
  ["one\ntwo", "wwd$", "one\ntw|"],
  ["one\ntwo", "ld$", "o|\ntwo"],
  ["one\ntwo", "D", "|\ntwo"],
  ["one\ntwo", "$", "on|e\ntwo"],
  ["\ntwo", "$", "|\ntwo"],
  ["one\ntwo", "$j$", "one\ntw|o"],
  ["one\ntwo", "ljh", "one\n|two"],
  ["one\ntwo", "jhh", "one\n|two"],
  ["one\ntwo", "lllll", "one|\ntwo"],
  ["one\ntwo", "jk", "|one\ntwo"],
  ["one\n  two", "jw", "one\n  |two"],
  ["one\n  two", "j^", "one\n  |two"],
  ["  \none", "^", "  |\none"],
  ["one two", "w0", "|one two"],
  ["one\ntwo", "j$0", "one\n|two"],
  ["a.b", "ww", "a.|b"],
  ["a..b", "w", "a|..b"],
  ["a_1 b", "w", "a_1 |b"],
  ["one", "w", "one|"],
  ["one  two", "$b", "one  |two"],
  ["one  two", "$bb", "|one  two"],
  ["a.b", "$b", "a|.b"],
  ["a..b", "$bb", "|a..b"],
  ["one", "b", "|one"],
  ["one two three", "$2b", "one |two three"],
  ["one two", "2e", "one tw|o"],
  ["one  two", "ee", "one  tw|o"],
  ["a.b c", "e", "a|.b c"],
  ["a.b c", "ee", "a.|b c"],
  ["abc  ", "ee", "abc | "],
  ["one two three", "d2e", "| three"],
  ["one two", "c2wx\u001b", "|x"],
  ["a.b c", "cwx\u001b", "|x.b c"],
  ["one two", "eecwx\u001b", "one tw|x"],
  ["one two", "ecwx\u001b", "on|x two"],
  ["one  two", "ewhcwx\u001b", "one |xtwo"],
  ["abcabc", "fb", "a|bcabc"],
  ["abcabc", "2fb", "abca|bc"],
  ["abcabc", "3fb", "|abcabc"],
  ["abcabc", "2tc", "abca|bc"],
  ["abcabc", "$Ta", "abca|bc"],
  ["abcabc", "$2Fa", "|abcabc"],
  ["abcabc", "$3Fa", "abcab|c"],
  ["abc", "$Fa", "|abc"],
  ["abc", "Fa", "|abc"],
  ["abc\nabx", "fx", "|abc\nabx"],
  ["xbc\nabc", "j$Fx", "xbc\nab|c"],
  ["abc", "dfb", "|c"],
  ["abc", "$dFa", "|c"],
  ["abc", "$dTa", "a|c"],
  ["one two", "dG", "|"],
  ["one two", "gx", "|one two"],
  ["one\ntwo", "Gg", "one\n|two"],
  ["one.two", "diw", "|.two"],
  ["one.two", "wdiw", "one|two"],
  ["one  two", "daw", "|two"],
  ["one\ntwo", "daw", "|\ntwo"],
  ["one\ntwo", "jdiw", "one\n|"],
  ["one two", "ldiw", "| two"],
  ["one two", `lciwx${ESC}`, "|x two"],
  ["中文.字", "diw", "|.字"],
  ["one\ntwo\nthree", "Vd", "|two\nthree"],
  ["one\ntwo\nthree", "vjx", "|three"],
  ["one\ntwo\nthree", "GVkd", "|one"],
  ["one\ntwo\nthree", "VGd", "|"],
  ["one\ntwo\nthree", "GVggd", "|"],
  ["one\ntwo\nthree", `jVcnew${ESC}`, "one\nne|w\nthree"],
  ["one\ntwo", "jVyggP", "|two\none\ntwo"],
  ["one\ntwo", "lVyP", "|one\none\ntwo"],
  ["one\ntwo", `V${ESC}x`, "|ne\ntwo"],
  ["one\ntwo", "Vzd", "|two"],
  ["one two", "d3", "|one two"],
  ["\ntwo", "Vd", "|two"],
  ["\ntwo", "Vjd", "|"],
  ["\ntwo", "dd", "|two"],
  ["one\n\ntwo", "jVd", "one\n|two"],
  ["one two", `2${ESC}x`, "|ne two"],
  ["one two three", "d1w", "|two three"],
  ["a b c d e f g h i j k l", "10dw", "|k l"],
  ["one two", "\nx", "|ne two"],
  ["aab", "fa", "a|ab"],
  ["aab", "2fa", "|aab"],
  ["aaa", "$Fa", "a|aa"],
  ["aaa", "$2Fa", "|aaa"],
  ["aba", "Fa", "|aba"],
  ["one\n \ntwo", "j2dd", "|one"],
  ["a \n b", "ldiw", "a|\n b"],
  ["a \n b", "jdiw", "a \n|b"],
  ["a\n\n\nb", "jdiw", "a\n|\n\nb"],
  ["a\n\nb", `jciwx${ESC}`, "a\n|x\nb"],
  ["a\nb", "ldaw", "a|\nb"],
  ["one\ntwo", "jgx", "one\n|two"],
  ["\ntwo", "dw", "|\ntwo"],
  ["ab\nc", "fb", "a|b\nc"],
  ["a\nbc", "j$Fb", "a\n|bc"],
  ["one\n\n\ntwo", "j2dd", "one\n|two"],
  ["\n\none", "2dd", "|one"],
  ["one\ntwo\nthree", "3dd", "|"],
  ["one\ntwo\nthree", "9dd", "|"],
]

for (const [text, keys, result] of cases)
  test(`vi: ${JSON.stringify(keys)} in ${JSON.stringify(text)}`, () => assert.equal(after(text, keys), result))

test("vi: the mode, and the keys of a command that is not complete", () => {
  const start = {
    vim: { ...initialVim, mode: "normal" as const },
    editor: { ...withText(emptyEditor, "one two"), caret: 0 },
  }
  for (const [keys, mode, pending] of [
    ["", "normal", ""],
    ["2", "normal", "2"],
    ["2d", "normal", "2d"],
    ["di", "normal", "di"],
    ["g", "normal", "g"],
    ["f", "normal", "f"],
    ["r", "normal", "r"],
    ["dw", "normal", ""],
    ["dq", "normal", ""],
    ["q", "normal", ""],
    ["i", "insert", ""],
    ["I", "insert", ""],
    ["o", "insert", ""],
    ["cw", "insert", ""],
    ["V", "visual-line", ""],
    ["v", "visual-line", ""],
    ["Vg", "visual-line", "g"],
    ["Vj", "visual-line", ""],
    ["Vd", "normal", ""],
    ["Vy", "normal", ""],
    ["Vc", "insert", ""],
    [`V${ESC}`, "normal", ""],
    [`2d${ESC}`, "normal", ""],
    [`i${ESC}`, "normal", ""],
  ] as const) {
    const { vim } = run(start, keys)
    assert.deepEqual([vim.mode, vim.pending], [mode, pending], JSON.stringify(keys))
  }
  assert.deepEqual(
    [initialVim.mode, initialVim.register, initialVim.last, initialVim.open],
    ["insert", { text: "", isLines: false }, null, null],
  )
  assert.equal(run({ vim: initialVim, editor: emptyEditor }, "dd").editor.text, "dd", "it begins with insertion")
})

test("vi: at most 1,000 repetitions", () => {
  const long = "x".repeat(1_500)
  assert.equal(after(long, "1500x").length, 501)
  assert.equal(after(long, "999999999x").length, 501)
})

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
