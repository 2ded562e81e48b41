import assert from "node:assert/strict"
import { test } from "node:test"
import { invalidGlob, invalidRegex, multilineText } from "../../src/grep/invalid.ts"

const advice = "Escape special characters with \\, or set literal: true to search for plain text."

test("an invalid pattern is shown with its error and, if known, the position", () => {
  const at = (column: number) => ` at column ${column}`
  const rows = [
    ["a(b", "regex parse error:\n    (?:a(b)\n    ^\nerror: unclosed group", `unclosed group,${at(2)}`, " ^"],
    ["a)b", "error: unopened group", `unopened group,${at(2)}`, " ^"],
    ["()(", "error: unclosed group", `unclosed group,${at(3)}`, "  ^"],
    ["a[(]*{", "rg: regex parse error:\n    a[(]*{\n         ^\nerror: repetition", `repetition,${at(6)}`, "     ^"],
    ["\\(x**", "PCRE2: error compiling pattern at offset 7: twice", `twice,${at(5)}`, "    ^"],
    ["x**", "PCRE2: error compiling pattern at offset 3: twice", `twice,${at(1)}`, "^"],
    ["x**", "PCRE2: error compiling pattern at offset 6: twice", `twice,${at(4)}`, "   ^"],
    ["x**", "PCRE2: error compiling pattern at offset 7: twice", "twice", null],
    ["x**", "PCRE2: error compiling pattern at offset 2: twice", "twice", null],
    ["ab**", "error parsing regexp: bad repetition operator: `**`", `bad repetition operator: \`**\`,${at(3)}`, "  ^"],
    ["ab", "error parsing regexp: other: `zz`", "other: `zz`", null],
    ["ab", "rg: something else \n", "something else", null],
  ] as const
  for (const [pattern, printed, problem, caret] of rows) {
    const shown = caret === null ? `  ${pattern}\n` : `  ${pattern}\n  ${caret}\n`
    assert.equal(
      invalidRegex(pattern, printed),
      `Invalid regex: ${problem}\n${shown}${advice}`,
      `${pattern}: ${printed}`,
    )
  }
  assert.equal(invalidRegex("a\n(", "error: unclosed group"), `Invalid regex: unclosed group\n  a\n(\n${advice}`)
  assert.equal(invalidRegex("a\\n", 'the literal "\\n" is not allowed in a regex'), multilineText)
})

test("an invalid glob is shown with its error", () => {
  const how = "Use one like *.ts or src/**/*.{ts,tsx}."
  assert.equal(
    invalidGlob("rg: error parsing glob '[': unclosed\nmore"),
    `Invalid glob: error parsing glob '[': unclosed. ${how}`,
  )
  assert.equal(invalidGlob(" other\n"), `Invalid glob: other. ${how}`)
})
