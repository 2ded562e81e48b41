import assert from "node:assert/strict"
import { test } from "node:test"
import type { EntryOf, InputKind } from "@gong/spec"
import { inputBody, modelEntries } from "../../src/input/entries.ts"
import { inputQueue } from "../../src/input/inbox.ts"

const input = (id: string, kind: InputKind): EntryOf<"input"> => ({
  id,
  parentId: null,
  timestamp: "2026-01-01T00:00:00.000Z",
  type: "input",
  kind,
  text: id,
  source: "user",
})

test("a queue gives all waiting messages of a kind or one at a time, in their order, and announces steers", () => {
  for (const [mode, first] of [
    ["all", ["1", "3"]],
    ["one", ["1"]],
  ] as const) {
    const queue = inputQueue(() => ({ steer: mode, followUp: mode }))
    const announced: string[] = []
    const leave = queue.onSteer(({ id }) => announced.push(id))
    for (const id of ["1", "3"]) queue.put(input(id, "steer"))
    for (const id of ["2", "4"]) queue.put(input(id, "follow_up"))
    queue.put(input("5", "prompt"))
    leave()
    queue.put(input("6", "steer"))
    assert.deepEqual(announced, ["1", "3"])
    assert.equal(queue.size, 6)
    assert.deepEqual(
      queue.take("steer").map(({ id }) => id),
      mode === "all" ? [...first, "6"] : first,
    )
    assert.deepEqual(
      queue.take("follow_up").map(({ id }) => id),
      mode === "all" ? ["2", "4"] : ["2"],
    )
    assert.deepEqual([queue.has("steer"), queue.has("prompt")], [mode === "one", true])
    assert.deepEqual(
      queue.remove("5").map(({ id }) => id),
      [],
    )
    assert.deepEqual(
      queue.remove(null).map(({ id }) => id),
      mode === "all" ? [] : ["3", "4", "6"],
    )
    assert.deepEqual(
      queue.take("prompt").map(({ id }) => id),
      ["5"],
    )
    assert.equal(queue.size, 0)
  }
})

test("an input has the fields that were given and are not empty", () => {
  const plain = { type: "input", kind: "steer", text: "x", source: "user" }
  const image = { type: "image", mimeType: "image/png", data: "" } as const
  const seen = { path: "/a", size: 1, mtimeMs: 1 }
  for (const [options, more] of [
    [{}, {}],
    [{ images: [], seen: [] }, {}],
    [
      { images: [image], seen: [seen], source: "api", when: "now" },
      { images: [image], seen: [seen], source: "api", when: "now" },
    ],
  ] as const)
    assert.deepEqual(inputBody("steer", "x", options), { ...plain, ...more })
})

test("a change of the model or of the thinking level is an entry each; what stays the same is none", () => {
  const selected = { provider: { model: { provider: "p", id: "m" } }, thinking: "low" } as never
  const model = { type: "model_change", provider: "p", modelId: "m" }
  const thinking = { type: "thinking_level_change", thinkingLevel: "low" }
  for (const [before, expected] of [
    [{ model: null, thinking: null }, [model, thinking]],
    [{ model: { provider: "p", id: "m" }, thinking: "low" }, []],
    [{ model: { provider: "p", id: "n" }, thinking: "low" }, [model]],
    [{ model: { provider: "q", id: "m" }, thinking: "low" }, [model]],
    [{ model: { provider: "p", id: "m" }, thinking: "off" }, [thinking]],
  ] as const)
    assert.deepEqual(modelEntries(before, selected), expected)
})
