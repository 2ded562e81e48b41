import assert from "node:assert/strict"
import { test } from "node:test"
import { importPath, importsIn } from "../../src/prompt/imports.ts"

test("@path names outside of code count, each once, without a final full stop", () => {
  const text = [
    "See @README.md, and (@docs/style.md). Again @README.md.",
    "- @~/mine.md",
    "mail a@b.example, code `@no.md` and ``a ` @no.md``",
    "```sh",
    "@no.md",
    "~~~",
    "@no.md",
    "```",
    "    @indented.md",
    "~~~~",
    "@no.md",
    "~~~",
    "@no.md",
    "~~~~",
    "@last.md",
  ].join("\n")
  assert.deepEqual(importsIn(text), ["README.md", "docs/style.md", "~/mine.md", "indented.md", "last.md"])
})

test("an unclosed fence hides the rest, a lone backtick nothing", () => {
  assert.deepEqual(importsIn("a ` b @a.md\n```\n@no.md"), ["a.md"])
})

test("a long list of names is bounded, and so is the time for text of backticks", () => {
  assert.equal(importsIn(Array.from({ length: 400 }, (_, at) => `@f${at}.md`).join(" ")).length, 50)
  assert.deepEqual(importsIn("` ``".repeat(8000)), [])
})

test("names become paths: relative to the file, the home or the root; .. is resolved", () => {
  assert.equal(importPath("docs/a.md", "/w/shop", "/home/u"), "/w/shop/docs/a.md")
  assert.equal(importPath("../../etc/./passwd", "/w/shop", "/home/u"), "/etc/passwd")
  assert.equal(importPath("~/a.md", "/w/shop", "/home/u"), "/home/u/a.md")
  assert.equal(importPath("/a/b.md", "/w", "/home/u"), "/a/b.md")
  assert.equal(importPath("../../../..", "/w", "/home/u"), "/")
})
