import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { createPolicy } from "../src/policy.ts"
import { bash, facts, file } from "./fixtures.ts"

/** Names with everything that means something in a rule, a path or a shell. */
const name = fc.string({ unit: fc.constantFrom(..."ab.~*?[]{}()!:, \\'\"#$&\n\t-"), minLength: 1, maxLength: 8 })
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"))

test("the rule of one answer allows that file, and no other file in question", async () => {
  await fc.assert(
    fc.asyncProperty(path, path, async (one, other) => {
      const policy = createPolicy(facts({ level: "ask", interactive: true }))
      const target = file("edit", `/home/u/shop/${one}`)
      const asked = await policy.decide(target)
      if (asked.verdict !== "ask") return
      await policy.remember(target, "session")
      assert.equal((await policy.decide(target)).verdict, "allow")
      const { locate } = facts()
      const [real, next] = [await locate(`/home/u/shop/${one}`), await locate(`/home/u/shop/${other}`)]
      if (real.real === next.real) return
      assert.notEqual((await policy.decide(file("edit", `/home/u/shop/${other}`))).verdict, "allow")
    }),
    { numRuns: 3_000 },
  )
})

test("the rule of one answer allows that command line, and no other command", async () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom(..."ab-*?.:/=@"), minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 4,
  })
  const program = fc.constantFrom("make", "npm run", "git commit", "cargo build", "./x")
  await fc.assert(
    fc.asyncProperty(program, words, words, async (name, one, other) => {
      const policy = createPolicy(facts({ level: "ask", interactive: true }))
      const [command, next] = [[name, ...one].join(" "), [name, ...other].join(" ")]
      if ((await policy.decide(bash(command))).verdict !== "ask" || command === next) return
      if ((await policy.decide(bash(next))).verdict !== "ask") return
      await policy.decide(bash(command))
      await policy.remember(bash(command), "session")
      assert.equal((await policy.decide(bash(command))).verdict, "allow")
      assert.equal((await policy.decide(bash(next))).verdict, "ask", `${command} | ${next}`)
    }),
    { numRuns: 3_000 },
  )
})
