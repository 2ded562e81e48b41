import assert from "node:assert/strict"
import { test } from "node:test"
import { parseCommand } from "../../src/policy/command.ts"

/** The words of each command; null: more than that is not known. */
function read(text: string) {
  const { commands, understood } = parseCommand(text)
  return understood ? commands.map(({ words }) => words.map((word) => word.text).join(" ")) : null
}

test("commands are told apart by each operator of a shell", () => {
  for (const operator of ["&&", "||", "|", "|&", ";", "\n", "&", " && ", ";\n"])
    assert.deepEqual(read(`a b${operator}c d`), ["a b", "c d"], JSON.stringify(operator))
  for (const operator of [";;", ";&", ";;&"]) assert.equal(read(`a b ${operator} c d`), null, operator)
  assert.deepEqual(read("a '&&' \"|\" \\; b"), ["a && | ; b"])
})

test("the targets of redirections are no words, and digits before one neither; quoted digits are", () => {
  for (const [text, words, targets] of [
    ["a > f b", "a b", ["f"]],
    ["a >> f", "a", ["f"]],
    ["a 2> f", "a", ["f"]],
    ["a 2>f >g", "a", ["f", "g"]],
    ["a &> f", "a", ["f"]],
    ["a '2'> f", "a 2", ["f"]],
    ["a x2> f", "a x2", ["f"]],
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
