import assert from "node:assert/strict"
import { test } from "node:test"
import { splitArguments, substitute, takesArguments, invalidPlaceholders } from "../../src/skills/substitute.ts"

const args = ["one", "two words", "three", "four", "five"]
const puts =
  (pairs: readonly (readonly [string, string])[], given = args) =>
  () => {
    for (const [template, expected] of pairs) assert.equal(substitute(template, given), expected, template)
  }

test(
  "[TEMPLATE-1] $1 and $2 are positional arguments",
  puts([
    ["$1-$2", "one-two words"],
    ["${1} and $5.", "one and five."],
  ]),
)
test(
  "[TEMPLATE-2] [TEMPLATE-3] $@ and $ARGUMENTS are all arguments",
  puts([
    ["<$@>", "<one two words three four five>"],
    ["<$ARGUMENTS>", "<one two words three four five>"],
    ["${@}", "one two words three four five"],
    ["$ARGUMENTS_OF", "$ARGUMENTS_OF"],
  ]),
)
test(
  "[TEMPLATE-4] [TEMPLATE-5] ${@:2} begins with the second, ${@:2:3} ends after three",
  puts([
    ["${@:2}", "two words three four five"],
    ["${@:2:3}", "two words three four"],
    ["${@:5:9}|${@:6}|${@:2:0}", "five||"],
  ]),
)
test("[TEMPLATE-6] inserted text is not expanded again", puts([["$1 $2 $@", "$2 $@ $2 $@"]], ["$2", "$@"]))
test("[TEMPLATE-7] a missing argument is empty", puts([["a$3b", "ab"]], ["one", "two"]))
test("default text for a missing argument", puts([["${1:-x} ${2:-all of it}|${@:-y}", "one all of it|one"]], ["one"]))
test("without any argument", puts([["$@|${@:-all}|$ARGUMENTS", "|all|"]], []))
test(
  "other dollars stay, and a backslash keeps one",
  puts([
    ["costs $5.00 $HOME ${x} $$ ${@:a} $", "costs five.00 $HOME ${x} $$ ${@:a} $"],
    ["\\$1 \\$@ \\${@:2}", "$1 $@ ${@:2}"],
  ]),
)

test("which templates take arguments, and which have invalid positions", () => {
  const templates = ["a $1", "a ${@:2}", "a $ARGUMENTS", "a \\$1", "a $x"]
  assert.deepEqual(templates.map(takesArguments), [true, true, true, false, false])
  const wrong = invalidPlaceholders("$0 $10 \\$0 ${@:0:2} ${0} ${@:10}").map(({ form }) => form)
  assert.deepEqual(wrong, ["$0", "${@:0:2}", "${0}"])
})

test("arguments are separated by blanks; quotes around one keep it together, other quotes are letters", () => {
  const split = splitArguments(`  a "b c" 'd  e' "" don't say "it`)
  assert.deepEqual(split, ["a", "b c", "d  e", "", "don't", "say", '"it'])
  assert.deepEqual(splitArguments(" "), [])
})

test("the size of an expanded template is bounded", () => {
  assert.equal(substitute("$@".repeat(10_000), ["x".repeat(1_000)]), null)
})
