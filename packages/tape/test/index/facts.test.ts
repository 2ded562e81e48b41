import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry } from "@gong/spec"
import { addFacts, emptyFacts } from "../../src/index/facts.ts"

/** The known types of consecutive entries; lines of other programs may lack any field. */
function factsOf(...bodies: readonly object[]) {
  const facts = { ...emptyFacts }
  for (const body of bodies) addFacts(facts, body as Entry)
  return facts
}

const reply = (more: object) => ({ type: "message", message: { role: "assistant", ...more } })

test("the title is the first line of the first message; the name is the newest one", () => {
  const asked = (text: unknown) => ({ type: "input", text })
  const printed = (...content: readonly unknown[]) => ({ type: "message", message: { role: "user", content } })
  assert.equal(factsOf(asked("one\ntwo"), asked("three")).title, "one")
  assert.equal(
    factsOf(asked(" "), asked(7), printed({ type: "image" }, { type: "text", text: "third" })).title,
    "third",
  )
  assert.equal(factsOf({ type: "message" }, { type: "message", message: { role: "user" } }, printed(null)).title, null)
  const named = (name: unknown) => ({ type: "session_info", name })
  assert.equal(factsOf(named("a"), named("b"), named(null)).name, "b")
})

test("the model is the one used or chosen last", () => {
  const change = { type: "model_change", provider: "acme", modelId: "m1" }
  assert.equal(factsOf(reply({ model: { provider: "acme", id: "m0" } }), change).model, "acme/m1")
  assert.equal(factsOf(change, reply({ model: { provider: "acme", id: "m2" } })).model, "acme/m2")
  assert.equal(factsOf(change, reply({})).model, "acme/m1")
  for (const model of [{ provider: "acme" }, { id: "m2" }])
    assert.equal(factsOf(change, reply({ model })).model, "acme/m1")
})

test("prompts, replies and calls are counted; money of replies and of failed tries is summed up as far as it is known", () => {
  const facts = factsOf(
    { type: "input", text: "go" },
    reply({ cost: 0.5, costCny: 3.5 }),
    reply({ cost: null }),
    { type: "model_call", cost: 0.25 },
    { type: "tool_start" },
    { type: "tool_start" },
    { type: "message", message: { role: "tool" } },
    { type: "from_the_future" },
  )
  assert.deepEqual(facts, {
    ...emptyFacts,
    title: "go",
    entries: 8,
    prompts: 1,
    replies: 2,
    calls: 2,
    cost: 0.75,
    costCny: 3.5,
    unpriced: 1,
  })
})

test("nothing is known of no entries, and a price beyond all prices is none", () => {
  const zero = { entries: 0, prompts: 0, replies: 0, calls: 0, bytes: 0, cost: 0, costCny: 0, unpriced: 0 }
  assert.deepEqual(emptyFacts, { title: null, name: null, model: null, ...zero })
  const most = 1e9
  const call = (cost: number, costCny: number) => ({ type: "model_call", cost, costCny })
  assert.deepEqual(factsOf(call(most, -most)), { ...emptyFacts, entries: 1, cost: most, costCny: -most })
  assert.deepEqual(factsOf(call(most + 1, most + 1)), { ...emptyFacts, entries: 1, unpriced: 1 })
})
