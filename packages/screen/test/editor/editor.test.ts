import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  edit,
  type Edit,
  type Editor,
  emptyEditor,
  insert,
  jumpTo,
  withText,
  withTextAt,
} from "../../src/editor/editor.ts"
import { clustersOf } from "../../src/text/cells.ts"

/** `|` marks the caret. */
function at(marked: string): Editor {
  const caret = marked.indexOf("|")
  return { ...emptyEditor, text: marked.replace("|", ""), caret }
}

function marked({ text, caret }: Editor): string {
  return `${text.slice(0, caret)}|${text.slice(caret)}`
}

const after = (start: string, ...edits: readonly Edit[]): string => marked(edits.reduce(edit, at(start)))

test("movement by clusters, words and lines", () => {
  assert.equal(after("a👨‍👩‍👧|b", "left"), "a|👨‍👩‍👧b")
  assert.equal(after("a|e\u0301b", "right"), "ae\u0301|b")
  assert.equal(after("one two-three|", "word-left"), "one two-|three")
  assert.equal(after("|one two", "word-right"), "one| two")
  assert.equal(after("ab\ncd|ef", "line-start"), "ab\n|cdef")
  assert.equal(after("ab\nc|def\ngh", "line-end"), "ab\ncdef|\ngh")
  assert.equal(after("a\nb|", "text-start", "text-end"), "a\nb|")
  assert.equal(after("|", "left", "right", "word-left", "word-right"), "|")
  assert.equal(marked(jumpTo(at("|find x and x"), "x")), "find |x and x")
  assert.equal(marked(jumpTo(at("|none"), "x")), "|none")
})

test("up and down keep the column over short lines, and stop at the edges", () => {
  assert.equal(after("four\nx\nlong|er", "up"), "four\nx|\nlonger")
  assert.equal(after("four\nx\nlong|er", "up", "up"), "four|\nx\nlonger")
  assert.equal(after("fo|ur\nx\nlonger", "down", "down"), "four\nx\nlo|nger")
  assert.equal(after("on|e", "up", "down"), "on|e")
})

test("deletions join lines, and deleted texts come back from the ring", () => {
  assert.equal(after("ab\n|cd", "delete-back"), "ab|cd")
  assert.equal(after("ab|\ncd", "delete-forward"), "ab|cd")
  assert.equal(after("rm -rf dir/sub|", "kill-word-back"), "rm -rf |")
  assert.equal(after("rm -rf dir/sub|", "kill-word-back", "kill-word-back", "yank"), "rm -rf dir/sub|")
  assert.equal(after("|one two", "kill-word-forward", "kill-word-forward", "yank"), "one two|")
  assert.equal(after("ab|cd\nef", "kill-to-end"), "ab|\nef")
  assert.equal(after("ab|\nef", "kill-to-end"), "ab|ef")
  assert.equal(after("ab\ncd|ef", "kill-to-start"), "ab\n|ef")
  assert.equal(after("ab\n|ef", "kill-to-start"), "ab|ef")
  assert.equal(after("a|b", "yank", "yank-older"), "a|b")
  assert.equal(after("one| two", "kill-word-back", "line-end", "kill-word-back", "yank"), " two|")
  assert.equal(after("one| two", "kill-word-back", "line-end", "kill-word-back", "yank", "yank-older"), " one|")
  assert.equal(
    after("one| two", "kill-word-back", "line-end", "kill-word-back", "yank", "yank-older", "yank-older"),
    " two|",
  )
})

test("undo and redo: typing by words, other edits one by one", () => {
  const typed = [..."two words"].reduce((editor, char) => insert(editor, char), emptyEditor)
  assert.equal(marked(edit(typed, "undo")), "two|")
  assert.equal(marked(edit(edit(typed, "undo"), "undo")), "|")
  assert.equal(marked(edit(edit(typed, "undo"), "redo")), "two words|")
  assert.equal(marked(edit(withText(typed, "other"), "undo")), "two words|")
  const branched = insert(edit(typed, "undo"), "!")
  assert.equal(edit(branched, "redo"), branched)
})

test("an edit without an effect gives the same editor", () => {
  for (const [start, name] of [
    ["|ab", "left"],
    ["ab|", "right"],
    ["|ab", "word-left"],
    ["ab|", "text-end"],
    ["|ab", "text-start"],
    ["a|b", "up"],
    ["a|b", "down"],
    ["|ab", "delete-back"],
    ["ab|", "delete-forward"],
    ["|ab", "kill-word-back"],
    ["ab|", "kill-word-forward"],
    ["|ab", "kill-to-start"],
    ["ab|", "kill-to-end"],
    ["a|b", "yank"],
    ["a|b", "yank-older"],
    ["a|b", "undo"],
    ["a|b", "redo"],
  ] as const) {
    const editor = at(start)
    assert.equal(edit(editor, name), editor, `${name} in ${start}`)
  }
  const editor = at("ab|c")
  assert.equal(withTextAt(editor, "abc", 2), editor)
  assert.equal(marked(withTextAt(editor, "abc", 1)), "a|bc")
  assert.equal(marked(withText(editor, "abc")), "abc|", "only the caret differs")
  assert.equal(marked(withTextAt(editor, "abd", 2)), "ab|d", "only the text differs")
})

test("words are left out of letters, digits, underscores, marks and pictures; lines are crossed", () => {
  assert.equal(after("one  |two", "word-left"), "|one  two")
  assert.equal(after("one, |two", "word-left"), "|one, two")
  assert.equal(after("a_1 é2|", "word-left"), "a_1 |é2")
  assert.equal(after("...|", "word-left"), "|...")
  assert.equal(after("one\n|two", "word-left"), "|one\ntwo")
  assert.equal(after("one|, two", "word-right"), "one, two|")
  assert.equal(after("one|  two three", "word-right"), "one  two| three")
  assert.equal(after("one|\ntwo x", "word-right"), "one\ntwo| x")
  assert.equal(after("|...", "word-right"), "...|")
  assert.equal(after("|👍🏽 x", "word-right"), "👍🏽| x")
  assert.equal(after("one two  |", "kill-word-back"), "one |")
  assert.equal(after("a|b c", "kill-word-forward"), "a| c")
})

test("up and down over empty lines, and between the first and the last line", () => {
  assert.equal(after("\na|b", "up"), "|\nab")
  assert.equal(after("a|b\n", "down"), "ab\n|")
  assert.equal(after("x\n\ny|", "up"), "x\n|\ny")
  assert.equal(after("x|\n\ny", "down"), "x\n|\ny")
  assert.equal(after("x|\n\ny", "down", "down"), "x\n\ny|")
  assert.equal(after("中文字|\nabc", "down"), "中文字\nabc|")
  assert.equal(
    after("abcd|\nx\nabcd", "down", "left", "down"),
    "abcd\nx\n|abcd",
    "another movement sets the column anew",
  )
})

test("a jump goes to the next occurrence behind the caret", () => {
  assert.equal(marked(jumpTo(at("|xax"), "x")), "xa|x")
  assert.equal(marked(jumpTo(at("a|bc"), "c")), "ab|c")
  assert.equal(marked(jumpTo(at("xa|b"), "x")), "xa|b")
  assert.equal(marked(jumpTo(at("ba|"), "b")), "ba|")
})

test("200 edits can be undone, and 30 deleted texts are kept", () => {
  let editor = emptyEditor
  for (let count = 0; count < 205; count++) editor = withText(editor, `${count}`)
  let undone = 0
  for (let before = edit(editor, "undo"); before !== editor; before = edit(editor, "undo")) {
    editor = before
    undone++
  }
  assert.deepEqual([undone, editor.text], [200, "4"])
  let ring = emptyEditor
  for (let count = 0; count < 35; count++) ring = edit(edit(withText(ring, `word${count}`), "kill-word-back"), "left")
  ring = edit(ring, "yank")
  const seen = [ring.text]
  for (ring = edit(ring, "yank-older"); ring.text !== seen[0]; ring = edit(ring, "yank-older")) seen.push(ring.text)
  assert.deepEqual([seen.length, seen[0], seen.at(-1)], [30, "word34", "word5"])
})

test("deletions in a row are one text in their order, a movement between them begins another", () => {
  assert.equal(after("one two| three four", "kill-word-back", "kill-word-forward", "yank"), "one two three| four")
  assert.equal(after("a b| c", "kill-word-back", "left", "kill-word-back", "yank", "yank-older"), "b|  c")
  const twice = edit(edit(at("one two|"), "kill-word-back"), "kill-word-back")
  assert.deepEqual(twice.kills, ["one two"])
  assert.equal(marked(edit(edit(twice, "undo"), "redo")), "|")
  assert.equal(marked(edit(twice, "undo")), "one |")
})

test("typing after a movement or another edit is a step of its own", () => {
  const typed = insert(edit(insert(emptyEditor, "ab"), "left"), "x")
  assert.equal(marked(edit(typed, "undo")), "a|b")
  assert.equal(marked(edit(edit(typed, "undo"), "undo")), "|")
  assert.equal(marked(edit(edit(insert(insert(emptyEditor, "a"), "b"), "delete-back"), "undo")), "ab|")
})

const names: readonly Edit[] = [
  "left",
  "right",
  "word-left",
  "word-right",
  "line-start",
  "line-end",
  "up",
  "down",
  "delete-back",
  "delete-forward",
  "kill-word-back",
  "kill-word-forward",
  "kill-to-start",
  "kill-to-end",
  "yank",
  "yank-older",
  "undo",
  "redo",
]

test("after any edits the caret is between two clusters, and undo leads back to the empty text", () => {
  const texts = fc.constantFrom("a", " ", "中", "👨‍👩‍👧", "e\u0301", "word", "\n", "👍🏽")
  const steps = fc.array(fc.oneof(fc.constantFrom(...names), fc.record({ text: texts })), { maxLength: 40 })
  fc.assert(
    fc.property(steps, (all) => {
      let editor = emptyEditor
      for (const one of all) editor = typeof one === "string" ? edit(editor, one) : insert(editor, one.text)
      const start = editor.caret === 0 ? 0 : editor.text.lastIndexOf("\n", editor.caret - 1) + 1
      const offsets = [start]
      for (const cluster of clustersOf(editor.text.slice(start).split("\n", 1)[0] ?? ""))
        offsets.push((offsets.at(-1) ?? 0) + cluster.length)
      assert.ok(offsets.includes(editor.caret), marked(editor))
      for (let left = 0; left < 100; left++) editor = edit(editor, "undo")
      assert.equal(editor.past.length, 0)
      assert.equal(editor.text, "")
    }),
    { numRuns: 300 },
  )
})
