import assert from "node:assert/strict"
import { test } from "node:test"
import { type Message, userText } from "@gong/spec"
import { openProvider } from "../../src/open-provider.ts"
import {
  collect,
  events,
  fakeTransport,
  manualClock,
  modelOf,
  replyMessage,
  requestWith,
  resultMessage,
} from "../helpers.ts"

const model = modelOf({ compat: { calls: "schema" }, body: { seed: 1 } })
const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] }
const tools = [{ name: "ls", description: "Lists a folder.", parameters }]

function replies(...texts: readonly string[]) {
  return fakeTransport(
    ...texts.map((text) => ({
      body: [
        events(...[...text].map((content) => ({ choices: [{ delta: { content } }] })), {
          choices: [{ delta: {}, finish_reason: "stop" }],
        }),
      ],
    })),
  )
}

async function read(text: string, messages: readonly Message[] = [userText("hi")], given = tools) {
  const transport = replies(text)
  const provider = await openProvider(model, { transport, clock: manualClock(), credential: null })
  const { partials, reply } = await collect(provider, requestWith({ tools: given, messages }))
  assert.ok(reply.ok, JSON.stringify(reply))
  const shown = partials.map((partial) => ("delta" in partial && partial.type === "text" ? partial.delta : "")).join("")
  return {
    content: reply.message.content,
    stop: reply.message.stopReason,
    body: transport.bodies()[0] as Record<string, unknown>,
    shown,
    partials,
  }
}

test("with compat.calls schema the tools stand in the prompt, and the reply is restricted to an answer or a call", async () => {
  const { body } = await read('{"answer":"ok"}')
  assert.equal("tools" in body, false)
  assert.equal(body["seed"], 1)
  assert.match(JSON.stringify(body["messages"]), /sys.*# Tools.*Lists a folder/)
  assert.deepEqual(body["response_format"], {
    type: "json_schema",
    json_schema: {
      name: "reply",
      strict: true,
      schema: {
        anyOf: [
          {
            type: "object",
            properties: { answer: { type: "string" } },
            required: ["answer"],
            additionalProperties: false,
          },
          {
            type: "object",
            properties: { tool: { const: "ls" }, arguments: parameters },
            required: ["tool", "arguments"],
            additionalProperties: false,
          },
        ],
      },
    },
  })
})

test("an answer is shown as it comes, a call when it is complete", async () => {
  const answer = await read('{"answer": "Two\\nlines \\u4f60 \\"quoted\\"."}')
  assert.deepEqual(answer.content, [{ type: "text", text: 'Two\nlines 你 "quoted".' }])
  assert.deepEqual([answer.shown, answer.stop], ['Two\nlines 你 "quoted".', "stop"])
  assert.ok(answer.partials.length > 10)
  const call = await read('{"tool":"ls","arguments":{"path":"a"}}')
  assert.deepEqual(call.content, [
    { type: "tool_call", id: "call_d1_0", name: "ls", arguments: { path: "a" }, written: true },
  ])
  assert.deepEqual([call.shown, call.stop], ["", "tool_calls"])
  assert.deepEqual(
    call.partials.slice(1).map(({ type }) => type),
    ["call", "args"],
  )
})

test("a reply that is no such object stays as it is", async () => {
  for (const text of ["I cannot do that.", '{"other": 1}', '{"tool": 1, "arguments": {}}', "{}"]) {
    const { content, shown, stop } = await read(text)
    assert.deepEqual([content, shown, stop], [[{ type: "text", text }], text, "stop"])
  }
})

test("history is sent as such objects, with results as messages of the user", async () => {
  const messages: readonly Message[] = [
    userText("look"),
    replyMessage([
      { type: "text", text: "Let me see." },
      { type: "tool_call", id: "c", name: "ls", arguments: { path: "a" } },
    ]),
    resultMessage("c", "a.ts"),
    replyMessage([{ type: "text", text: "One file." }]),
    userText("and b?"),
  ]
  const { body } = await read('{"answer":"ok"}', messages)
  assert.deepEqual((body["messages"] as object[]).slice(1), [
    { role: "user", content: "look" },
    { role: "assistant", content: '{"tool":"ls","arguments":{"path":"a"}}' },
    { role: "user", content: "Result of ls:\na.ts" },
    { role: "assistant", content: '{"answer":"One file."}' },
    { role: "user", content: "and b?" },
  ])
})

test("a request without tools, as for a summary, is a plain one", async () => {
  const { body, content } = await read("## Goal", [userText("sum up")], [])
  assert.equal("response_format" in body, false)
  assert.deepEqual(content, [{ type: "text", text: "## Goal" }])
})
