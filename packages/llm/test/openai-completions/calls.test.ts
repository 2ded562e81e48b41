import assert from "node:assert/strict"
import { test } from "node:test"
import { openaiCompletions } from "../../src/openai-completions/provider.ts"
import { collect, events, fakeTransport, manualClock, modelOf } from "../helpers.ts"

const delta = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
})

const piece = (more: object) => delta({ tool_calls: [more] })

async function contentOf(...chunks: readonly unknown[]) {
  const transport = fakeTransport({ body: [events(...chunks)] })
  const { reply } = await collect(openaiCompletions(modelOf(), { transport, clock: manualClock(), credential: null }))
  assert.ok(reply.ok, JSON.stringify(reply))
  return reply.message.content
}

for (const { what, pieces } of [
  { what: "in one delta, all with index 0, without ids", pieces: [[two(0, "one"), two(0, "two")]] },
  { what: "one after the other, all with index 0, without ids", pieces: [[two(0, "one")], [two(0, "two")]] },
  { what: "in one delta, without indices or ids", pieces: [[two(undefined, "one"), two(undefined, "two")]] },
  {
    what: "the second in several deltas",
    pieces: [[two(0, "one")], [{ index: 0, function: { name: "bash", arguments: '{"command":' } }], rest('"two"}')],
  },
  {
    what: "without indices, the rest by id",
    pieces: [
      [
        { id: "a", function: { name: "bash", arguments: '{"command":"one"}' } },
        { id: "b", function: { name: "bash", arguments: "" } },
      ],
      [{ id: "b", function: { arguments: '{"command":' } }],
      [{ id: "b", function: { arguments: '"two"}' } }],
    ],
  },
  {
    what: "in deltas that each have a new id",
    pieces: [
      [{ index: 0, id: "a", function: { name: "bash", arguments: '{"command":' } }],
      [{ index: 0, id: "b", function: { arguments: '"one"' } }],
      [{ index: 0, id: "c", function: { arguments: "}" } }],
      [{ index: 1, id: "d", function: { name: "bash", arguments: '{"command":' } }],
      [{ index: 1, id: "e", function: { arguments: '"two"}' } }],
    ],
  },
]) {
  test(`parallel calls that a server does not distinguish properly: ${what}`, async () => {
    const calls = await contentOf(...pieces.map((list) => delta({ tool_calls: list })), delta({}, "tool_calls"))
    assert.deepEqual(
      calls.map((block) => block.type === "tool_call" && [block.name, block.arguments]),
      [
        ["bash", { command: "one" }],
        ["bash", { command: "two" }],
      ],
    )
    assert.equal(new Set(calls.map((block) => block.type === "tool_call" && block.id)).size, 2)
  })
}

function two(index: number | undefined, command: string): object {
  const args = { function: { name: "bash", arguments: JSON.stringify({ command }) } }
  return index === undefined ? args : { index, id: "", ...args }
}

function rest(args: string): object[] {
  return [{ index: 0, function: { arguments: args } }]
}

test("a repeated name with more of the same arguments starts no new call", async () => {
  const calls = await contentOf(
    piece({ index: 0, id: "x", function: { name: "ls", arguments: '{"path":' } }),
    piece({ index: 0, id: "x", function: { name: "ls", arguments: '"{}"' } }),
    piece({ index: 0, function: { name: "ls", arguments: "}" } }),
    delta({}, "tool_calls"),
  )
  assert.deepEqual(calls, [{ type: "tool_call", id: "x", name: "ls", arguments: { path: "{}" } }])
})

test("calls of a non-streamed reply without ids and arguments are counted correctly", async () => {
  const call = { type: "function", function: { name: "ls", arguments: "" } }
  const message = { role: "assistant", content: null, tool_calls: [call, call] }
  const transport = fakeTransport({
    body: [JSON.stringify({ choices: [{ index: 0, message, finish_reason: "tool_calls" }] })],
  })
  const ports = { transport, clock: manualClock(), credential: null }
  const { reply } = await collect(openaiCompletions(modelOf(), ports))
  assert.equal(reply.ok && reply.message.content.length, 2)
})

test("Google's signature of a call is kept with it", async () => {
  const signed = { extra_content: { google: { thought_signature: "c2Vh" } } }
  const calls = await contentOf(
    piece({ index: 0, id: "x", function: { name: "a", arguments: "{}" }, ...signed }),
    piece({ index: 1, id: "y", function: { name: "b", arguments: "{}" } }),
    delta({}, "tool_calls"),
  )
  assert.deepEqual(
    calls.map((block) => block.type === "tool_call" && block.signature),
    ["c2Vh", undefined],
  )
})
