import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { createEditTool } from "../../../src/index.ts"
import { context, lines, place, messages } from "../../workspace.ts"

async function refused(t: TestContext, content: string | Uint8Array, oldText: string, newText = "x") {
  const here = place(t)
  here.put("a.ts", content)
  const edits = [{ oldText, newText }]
  const result = await createEditTool(here.cwd).execute("c", { path: "a.ts", edits }, context())
  assert.equal(result.isError, true)
  const [first, ...rest] = messages(result).split("\n")
  assert.match(first ?? "", /^Could not find the exact text in a\.ts\..* newlines\.$/)
  return rest.join("\n")
}

const source = [
  ...lines(40, (line) => `const value${line} = ${line}`)
    .trimEnd()
    .split("\n"),
  "export function total(prices: number[]) {",
  "\tlet sum = 0",
  "\tfor (const price of prices) sum -= price",
  "\treturn sum",
  "}",
  "",
].join("\n")

test("[EDIT-P.2] the most similar lines are shown with numbers and a description of the difference", async (t) => {
  const old = "\tlet sum = 0\n\tfor (const price of prices) sum += price\n\treturn sum\n"
  assert.equal(
    await refused(t, source, old),
    [
      "The nearest text is at lines 42-44; 2 of 3 lines are the same (> marks what differs):",
      "  42 \tlet sum = 0",
      "> 43 \tfor (const price of prices) sum -= price",
      "  44 \treturn sum",
      'Line 43 differs from column 34 on: "-= price" in the file, "+= price" in oldText.',
    ].join("\n"),
  )
})

test("indentation, blanks and partial lines are distinguished", async (t) => {
  assert.match(
    await refused(t, source, "  let sum = 0\n  for (const price"),
    /^> 43 .*\nLine 42 differs in its indentation: 1 tab in the file, 2 spaces in oldText\.$/m,
  )
  assert.match(await refused(t, source, "total( prices )"), /Line 41 differs from column 23 on: "prices: number/)
  assert.match(await refused(t, source, "return  sum"), /Line 44 differs in blanks: "return sum" in the file/)
  assert.match(
    await refused(t, source, "\treturn sum\n}\n\nmore()"),
    /^The nearest text is at lines 44-46; 3 of 4 lines are the same.*\noldText goes on behind the end of the file\.$/s,
  )
})

test("a misspelled word is found by its other parts", async (t) => {
  assert.match(await refused(t, "one\ncompletely other\n", "compeltely"), /at line 2;/)
})

test("a newText that is already present is reported", async (t) => {
  assert.match(await refused(t, "a\nb\nnew text\n", "old text", "new text"), /newText is there already, at line 3/)
})

test("without similar lines the advice is to read again", async (t) => {
  assert.equal(
    await refused(t, "alpha\nbeta\n", "gamma"),
    "No place like it stands out: read the file again, it may have changed.",
  )
})

test("U+FFFD for invalid bytes is explained, and another encoding is named", async (t) => {
  const broken = Buffer.concat([Buffer.from("é ok "), Buffer.from([0xff]), Buffer.from(" end")])
  assert.match(await refused(t, broken, "ok \uFFFD end"), /U\+FFFD, which stands for bytes that are no character/)
  assert.match(
    await refused(t, Buffer.from("d\xe9j\xe0 vu", "latin1"), "déjà lu"),
    /The file was read as windows-1252\./,
  )
})

test("a hint is limited: long texts and lines are cut around the difference", async (t) => {
  const file = lines(300, (line) => `row ${line} ${"x".repeat(1000)}`)
  const old = file.replace("row 250 ", "row 250b ")
  const hint = await refused(t, file, old)
  assert.match(hint, /^Line 250 differs/m)
  assert.match(hint, /^> 250 row 250 x+\.\.\. \[truncated\]$/m)
  assert.ok(hint.length < 20 * 250 + 500, String(hint.length))
})
