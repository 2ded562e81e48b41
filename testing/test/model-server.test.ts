import assert from "node:assert/strict"
import { test } from "node:test"
import { type ModelServer, type ScriptedTurn, startModelServer, type Turn } from "../src/model-server.ts"
import { post, type Got, type PostOptions } from "./post.ts"

const openai = "/v1/chat/completions"
const anthropic = "/v1/messages"
const requestOf = {
  [openai]: {
    model: "mock",
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: "user", content: "hi" }],
  },
  [anthropic]: { model: "mock", max_tokens: 100, stream: true, messages: [{ role: "user", content: "hi" }] },
}
type Path = keyof typeof requestOf
const paths: readonly Path[] = [openai, anthropic]

test("text, reasoning and calls arrive complete in both formats", async () => {
  const turn: Turn = {
    thinking: "hm, 想",
    text: "Hello 🙂 world",
    calls: [
      { name: "read", args: { path: "a.ts" } },
      { name: "ls", args: {} },
    ],
    delta: 1,
    argDelta: 3,
  }
  for (const path of paths) {
    const { got } = await ask(path, [turn])
    const reply = path === openai ? openaiReply(got.events) : anthropicReply(got.events)
    assert.deepEqual(reply, {
      thinking: "hm, 想",
      text: "Hello 🙂 world",
      calls: [
        ["call_1_1", "read", `{"path":"a.ts"}`],
        ["call_1_2", "ls", "{}"],
      ],
    })
    assert.match(got.text, path === openai ? /"finish_reason":"tool_calls"/ : /"stop_reason":"tool_use"/)
    assert.match(got.text, /"(completion|output)_tokens":40/)
  }
})

test("the same script gives the same bytes in any chunks", async () => {
  for (const path of paths) {
    const whole = await ask(path, [{ text: "one two 三 🙂" }])
    for (const chunkBytes of [1, 7]) {
      const cut = await ask(path, [{ text: "one two 三 🙂", chunkBytes }])
      assert.equal(cut.got.text, whole.got.text)
      assert.ok(cut.got.chunks > whole.got.chunks)
    }
    const { got } = await ask(path, [{ text: "🙂🙂", delta: 1 }])
    assert.doesNotMatch(got.text, /\\ud83d/, "no event ends inside a character")
  }
})

test("a stream cut at any byte ends properly, one dropped at any byte does not", async () => {
  const { got: whole } = await ask(openai, [{ text: "hello" }])
  for (const bytes of [0, 1, 10, 100, Buffer.byteLength(whole.text) - 1]) {
    const cut = await ask(openai, [{ text: "hello", fault: { kind: "cut", after: { bytes } } }])
    assert.deepEqual([cut.got.text, cut.got.broken], [whole.text.slice(0, bytes), false])
    const dropped = await ask(openai, [{ text: "hello", fault: { kind: "drop", after: { bytes } } }])
    assert.deepEqual([dropped.got.text, dropped.got.broken], [whole.text.slice(0, bytes), true])
  }
})

test("a drop before the head, after it, and after some events", async () => {
  const drop = async (after: "connect" | "headers" | { chunks: number }) =>
    (await ask(openai, [{ text: "x".repeat(64), fault: { kind: "drop", after } }])).got
  assert.deepEqual(await drop("connect").then((got) => [got.status, got.broken]), [0, true])
  assert.deepEqual(await drop("headers").then((got) => [got.status, got.text, got.broken]), [200, "", true])
  assert.deepEqual(await drop({ chunks: 3 }).then((got) => [got.events.length, got.broken]), [3, true])
})

test("a stall sends its first part and then nothing, until either side closes", async () => {
  for (const [after, events] of [
    ["headers", 0],
    [{ chunks: 2 }, 2],
  ] as const) {
    const { got, server } = await ask(openai, [{ text: "x".repeat(64), fault: { kind: "stall", after } }], {
      leaveAfter: events,
    })
    assert.equal(got.events.length, events)
    assert.equal(server.requests[0]?.endedAt, null)
  }
})

test("refusals have the status, the API's message and Retry-After", async () => {
  const cases: readonly [number, Path, RegExp][] = [
    [429, openai, /"type":"requests"/],
    [500, openai, /server_error/],
    [529, anthropic, /overloaded_error/],
    [401, anthropic, /authentication_error/],
    [429, anthropic, /rate_limit_error/],
  ]
  for (const [status, path, words] of cases) {
    const { got } = await ask(path, [{ fault: { kind: "status", status, retryAfter: "7" } }])
    assert.equal(got.status, status)
    assert.match(got.text, words)
    assert.equal(got.headers["retry-after"], "7")
  }
  for (const path of paths) {
    const { got } = await ask(path, [{ fault: { kind: "status", status: 400, overflow: true } }])
    assert.match(got.text, path === openai ? /context_length_exceeded/ : /prompt is too long/)
  }
})

test("bodies that are no stream: a web page, bytes, one JSON document, a broken event, an error event", async () => {
  const text = async (turn: Turn, path: Path = openai) => (await ask(path, [turn])).got
  assert.match((await text({ fault: { kind: "body", body: "html" } })).text, /<html>/)
  assert.equal(
    (await text({ fault: { kind: "body", body: { text: "x" }, status: 502, type: "text/plain" } })).status,
    502,
  )
  assert.equal((await text({ fault: { kind: "body", body: "garbage" } })).bytes, 1024)
  assert.match((await text({ text: "hi", fault: { kind: "not-streamed" } })).text, /"object":"chat.completion"/)
  assert.match(
    (await text({ text: "hi", fault: { kind: "not-streamed" } }, anthropic)).text,
    /"content":\[\{"type":"text"/,
  )
  assert.match(
    (await text({ text: "hi", fault: { kind: "malformed", after: { chunks: 1 } } })).text,
    /tru\n\n.*\[DONE\]/s,
  )
  const broken = await text({ text: "hi", fault: { kind: "error-event", after: { chunks: 2 } } }, anthropic)
  assert.match(broken.text, /overloaded_error/)
  assert.doesNotMatch(broken.text, /message_stop/)
})

test("missing, duplicate and late ids", async () => {
  const calls = [
    { name: "ls", args: {} },
    { name: "ls", args: {} },
  ]
  const ids = async (kind: "missing" | "duplicate" | "late") => {
    const { got } = await ask(openai, [{ calls, ids: kind }])
    return [...got.text.matchAll(/"id":"(call_[^"]+)"/g)].map((match) => match[1])
  }
  assert.deepEqual(await ids("missing"), [])
  assert.deepEqual(await ids("duplicate"), ["call_1", "call_1"])
  assert.deepEqual(await ids("late"), ["call_1_1", "call_1_2"])
})

test("an invalid request is refused as by the real API and recorded", async () => {
  const { got, server } = await ask(openai, [{ text: "hi" }], { body: { model: "mock", messages: [] } })
  assert.equal(got.status, 400)
  assert.match(got.text, /messages must be a list that is not empty/)
  assert.equal(server.problems.length, 1)
  assert.equal(server.left, 1)
})

test("a turn may depend on the request; a request beyond the script gets no reply", async () => {
  const server = await startModelServer({
    turns: [(request) => ({ text: `you asked ${(request.body as { model: string }).model}` })],
  })
  try {
    const first = await post(server.url + openai, { body: requestOf[openai] })
    assert.equal(openaiReply(first.events).text, "you asked mock")
    assert.equal((await post(server.url + openai, { body: requestOf[openai] })).status, 400)
    assert.deepEqual(server.problems, ["request 2 is beyond the script"])
    assert.deepEqual(
      server.requests.map((request) => request.api),
      ["openai-completions", "openai-completions"],
    )
    assert.equal((await post(`${server.url}/v1/other`, { body: {} })).status, 404)
  } finally {
    await server.close()
  }
})

test("20,000 deltas arrive as separate events", async () => {
  const { got } = await ask(openai, [{ text: "0123456789".repeat(20_000), delta: 10 }])
  assert.equal(got.events.length, 20_004)
})

async function ask(
  path: Path,
  turns: readonly ScriptedTurn[],
  more: Partial<PostOptions> = {},
): Promise<{ got: Got; server: ModelServer }> {
  const server = await startModelServer({ turns })
  try {
    return { got: await post(server.url + path, { body: requestOf[path], ...more }), server }
  } finally {
    await server.close()
  }
}

interface Reply {
  thinking: string
  text: string
  calls: [id: string, name: string, args: string][]
}

function openaiReply(events: readonly string[]): Reply {
  const reply: Reply = { thinking: "", text: "", calls: [] }
  for (const event of events) {
    if (event === "data: [DONE]") continue
    interface Delta {
      reasoning_content?: string
      content?: string
      tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[]
    }
    const delta = (JSON.parse(event.slice(6)) as { choices: { delta: Delta }[] }).choices[0]?.delta
    reply.thinking += delta?.reasoning_content ?? ""
    reply.text += delta?.content ?? ""
    for (const call of delta?.tool_calls ?? []) {
      const known = (reply.calls[call.index] ??= [call.id ?? "", call.function.name ?? "", ""])
      known[2] += call.function.arguments
    }
  }
  return reply
}

function anthropicReply(events: readonly string[]): Reply {
  const reply: Reply = { thinking: "", text: "", calls: [] }
  for (const event of events) {
    interface Data {
      content_block?: { type: string; id: string; name: string }
      delta?: { thinking?: string; text?: string; partial_json?: string }
    }
    const data = JSON.parse(event.slice(event.indexOf("data: ") + 6)) as Data
    if (data.content_block?.type === "tool_use") reply.calls.push([data.content_block.id, data.content_block.name, ""])
    reply.thinking += data.delta?.thinking ?? ""
    reply.text += data.delta?.text ?? ""
    const open = reply.calls.at(-1)
    if (open !== undefined) open[2] += data.delta?.partial_json ?? ""
  }
  return reply
}
