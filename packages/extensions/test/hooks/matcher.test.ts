import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { test } from "node:test"
import { matcherOf } from "../../src/hooks/matcher.ts"

const means = async (matcher: string, ...names: readonly string[]): Promise<boolean | string> => {
  const found = await matcherOf(matcher)
  return typeof found === "function" ? found(names) : englishOf(found)
}

test("a matcher matches whole names, one of several; an empty one and a star match all", async () => {
  for (const [matcher, ...names] of [
    ["", "Bash"],
    ["*", "Bash"],
    ["Edit|Write", "Write"],
    ["Edit|Write", "MultiEdit", "Edit"],
    ["mcp__.*__(write|edit)_\\w+", "mcp__files__write_file"],
    ["^(Bash|[Ee]dit)$", "edit"],
  ] as const)
    assert.equal(await means(matcher, ...names), true, matcher)
  for (const [matcher, name] of [
    ["Edit|Write", "MultiEdit"],
    ["Edit|Write", "Writer"],
    ["Not.*", "ANotebook"],
  ] as const)
    assert.equal(await means(matcher, name), false, matcher)
})

test("an invalid expression, and an unbounded one, are reported as a sentence", async () => {
  assert.equal(await means("("), '"matcher" is no regular expression: "(".')
  for (const matcher of ["(?!Bash).*", "(?<=a)b", "(a)\\1"])
    assert.match(String(await means(matcher)), /^"matcher" must go without looking ahead/, matcher)
  assert.equal(await means(`${"a".repeat(299)}.`, "a".repeat(300)), true)
  assert.equal(await means(`${"a".repeat(300)}.`), '"matcher" is longer than 300 characters.')
  assert.equal(await means(`${"name|".repeat(300)}name`, "name"), true, "names alone are as many as one likes")
})
