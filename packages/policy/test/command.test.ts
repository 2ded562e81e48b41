import assert from "node:assert/strict"
import { test } from "node:test"
import { parseCommand } from "../src/command/command.ts"

/** The words of each command; null: unclear. */
function read(text: string) {
  const { commands, complete } = parseCommand(text)
  return complete ? commands.map(({ words }) => words.map((word) => word.text).join(" ")) : null
}

test("commands are separated by each operator of a shell", () => {
  for (const operator of ["&&", "||", "|", "|&", ";", "\n", "&", " && ", ";\n"])
    assert.deepEqual(read(`a b${operator}c d`), ["a b", "c d"], JSON.stringify(operator))
  for (const operator of [";;", ";&", ";;&"]) assert.equal(read(`a b ${operator} c d`), null, operator)
  assert.deepEqual(read("a '&&' \"|\" \\; b"), ["a && | ; b"])
})

test("targets of redirections are not words, nor are digits before one; quoted digits are", () => {
  for (const [text, words, targets] of [
    ["a > f b", "a b", ["f"]],
    ["a >> f", "a", ["f"]],
    ["a 2> f", "a", ["f"]],
    ["a 2>f >g", "a", ["f", "g"]],
    ["a &> f", "a", ["f"]],
    ["a '2'> f", "a 2", ["f"]],
    ["a x2> f", "a x2", ["f"]],
    ["a 2x> f", "a 2x", ["f"]],
    ["a >| f", "a", ["f"]],
  ] as const) {
    const { commands } = parseCommand(text)
    assert.deepEqual(
      commands.map((one) => [one.words.map((word) => word.text).join(" "), one.targets.map((word) => word.text)]),
      [[words, targets]],
      text,
    )
  }
})

/** Each command with its words, targets and operator; after a word `$` not literal, `*` a pattern, `~` a home. */
function shape(text: string) {
  const { commands, complete } = parseCommand(text)
  const words = (all: (typeof commands)[number]["words"]) =>
    all
      .map((one) => [one.text, !one.literal && "$", one.glob && "*", one.tilde && "~"].filter(Boolean).join(""))
      .join(" ")
  return [complete, ...commands.map((one) => [one.precededBy, words(one.words), words(one.targets)].join("  ").trim())]
}

test("every character is parsed as by a shell, or the result is incomplete", () => {
  for (const [text, ...expected] of [
    ["a;b&c|d||e&&f\ng", true, "a", ";  b", "&  c", "|  d", "||  e", "&&  f", ";  g"],
    ["a |& b", true, "a", "|  b"],
    ["", true],
    ["a \\2> f", true, "a 2  f"],
    ['"a\\b" "\\$" "\\`" "\\""', true, 'a\\b $ ` "'],
    ["a\\\nb", true, "ab"],
    ["a\\", false, "a"],
    ["'a", false, "a"],
    ["a$?b", true, "a0b"],
    ["`ab` c", false, "nested  ab$", "$ c"],
    ["`a`b`c`", false, "nested  a$", "nested  c$", "b$"],
    ["a `b", false, "nested  b", "a $"],
    ["x $(ab) c", false, "nested  ab", "x $ c"],
    ['"$(a)" b', false, "nested  a", "$ b"],
    ["$(", false, "$"],
    ["a ${HOME}/x $X", false, "a ${HOME}/x$ $X$"],
    ["$a${B}c", false, "$a${B}c$"],
    ["~/a b~ a=~/c :~", true, "~/a~ b~ a=~/c$ :~$"],
    ["a *x [b] c?", true, "a *x* [b]* c?*"],
    ["a ) b", false, "a", "nested  b"],
    ["a (b) c", false, "a", "nested  b", "nested  c"],
    ["a {b} c", false, "a", "nested  b", "nested  c"],
    ["a # b\nc#d", true, "a", ";  c#d"],
    ["# a", true],
    ["> f", true, "f"],
    ["a >", false, "a"],
    ["a >&2", true, "a"],
    ["a 2>&1 b", true, "a b"],
    ["a 2>&- b", true, "a b"],
    ["a >&f", true, "a  f"],
    ["a >&f1", true, "a  f1"],
    ["a >&1x", true, "a  1x"],
    ["a >12 b", true, "a b  12"],
    ["a <&3", true, "a"],
    ["a <&f", false, "a  f$"],
    ["a < f b", true, "a b  f$"],
    ["a <> f", true, "a  f"],
    ["a << E", false, "a  E$"],
    ["a <<< x", false, "a  x$"],
    ["a &> f", true, "a  f"],
    ["a &>> f", true, "a  f"],
    ["a \u0001", false, "a \u0001"],
  ] as const)
    assert.deepEqual(shape(text), expected, text)
})
