import assert from "node:assert/strict"
import { test } from "node:test"
import { catastrophe } from "../../../src/policy/guard.ts"

const start = { cwd: "/home/u/shop", home: "/home/u", roots: ["/home/u/shop"], env: {} }

test("what is nested too deep to be read and may delete is refused; without a word that deletes it is no matter", () => {
  const kindOf = (command: string) => catastrophe(command, start)?.kind ?? null
  for (const [begin, end] of [
    ["$(", ")"],
    ["{ ", "; }"],
    ["${X:-", "}"],
    ["$((1+", "))"],
    ["if ", "; then :; fi"],
  ] as const) {
    const script = (depth: number, inner: string) => `: ${begin.repeat(depth)}${inner}${end.repeat(depth)}`
    // ":" would take the first words of a block as its own.
    const line = (depth: number, inner: string) => script(depth, inner).replace(/^: (?=\{|if)/, "")
    assert.equal(kindOf(`${line(20, "$(:)")}; rm -rf ~`), "lost", begin)
    assert.equal(kindOf(line(20, "$(rm -rf ~)")), "lost", begin)
    // What stands behind the end of an arithmetic expression is read.
    assert.equal(kindOf(`${line(70, "$(:)")}; rm -rf ~`), begin === "$((1+" ? "lost" : "unknown", begin)
    assert.equal(kindOf(line(70, "$(rm -rf ~)")), "unknown", begin)
    assert.equal(kindOf(line(70, "$(ls)")), null, begin)
  }
  const deep = `${"$(".repeat(70)}:${")".repeat(70)}`
  assert.equal(kindOf(`alias f='${deep}; rm -rf ~'; f`), "unknown")
  assert.equal(kindOf(`eval ': ${deep}; rm -rf ~'`), "unknown")
  assert.equal(kindOf(`f() { ${deep}; }; rm -rf ~`), "unknown")
})
