import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, FailureError } from "@gong/spec"
import { openProvider } from "../../../src/index.ts"
import { randomPieces } from "../../differential/pieces.ts"
import { collect, events, fakeTransport, manualClock, modelOf, type Piece } from "../../helpers.ts"

type Api = "openai-completions" | "openai-responses" | "anthropic-messages" | "google-generative-ai"

async function failureOf(body: Iterable<Piece>, api: Api = "openai-completions") {
  const ports = { transport: fakeTransport({ body }), clock: manualClock(), credential: null }
  const { reply } = await collect(await openProvider(modelOf({ api }), ports))
  assert.ok(!reply.ok, "a stream with an error is no reply")
  return [reply.failure.kind, reply.failure.message]
}

const half = events({ choices: [{ index: 0, delta: { content: "half" }, finish_reason: null }] })

/** Error texts of servers in an event stream, outside of `data` in OpenAI's form. */
const cases: readonly {
  readonly form: string
  readonly text: string
  readonly kind: string
  readonly words: RegExp
}[] = [
  {
    form: "the field error, as llama.cpp sends it",
    text: 'error: {"code":500,"message":"slot unavailable","type":"server_error"}\n\n',
    kind: "overloaded",
    words: /slot unavailable/,
  },
  {
    form: "the field error with OpenAI's object in it",
    text: 'error:{"error":{"message":"no more tokens left","code":"insufficient_quota"}}\n\n',
    kind: "quota",
    words: /no more tokens left/,
  },
  {
    form: "the field error with plain words",
    text: "error: out of memory\r\n\r\n",
    kind: "overloaded",
    words: /out of memory/,
  },
  {
    form: "an event named error with plain words",
    text: "event: error\ndata: engine died\n\n",
    kind: "overloaded",
    words: /engine died/,
  },
  {
    form: "an event named error with a form of its own",
    text: 'event: error\ndata: {"reason":"engine died","retry":false}\n\n',
    kind: "overloaded",
    words: /engine died/,
  },
  {
    form: "an object on a line of its own",
    text: '{"error":{"message":"upstream died","code":502}}\n',
    kind: "overloaded",
    words: /upstream died/,
  },
  {
    form: "an object over several lines",
    text: '{\n  "error": {\n    "message": "upstream died",\n    "code": 429\n  }\n}\n',
    kind: "rate-limit",
    words: /upstream died/,
  },
]

for (const { form, text, kind, words } of cases)
  test(`an error inside a stream keeps its message: ${form}`, async () => {
    for (const before of ["", half, `: ping\n\n${half}`]) {
      if (before === "" && text.startsWith("{")) continue
      const bytes = Buffer.from(before + text)
      for (const body of [[bytes], [...randomPieces(bytes, 7)], [...bytes].map((byte) => Uint8Array.of(byte))]) {
        const [was, message] = await failureOf(body)
        assert.equal(was, kind, message)
        assert.match(message ?? "", words)
      }
    }
  })

test("an error inside a stream keeps its message if the connection breaks afterwards, in every format", async () => {
  for (const api of ["openai-completions", "openai-responses", "anthropic-messages", "google-generative-ai"] as const) {
    const [kind, message] = await failureOf(
      [": ping\n\nerror: out of memory\n\n", new FailureError(failure("network", "reset"))],
      api,
    )
    assert.equal(kind, "overloaded", api)
    assert.match(message ?? "", /out of memory/)
  }
})

test("a truncated stream is not an error of the provider, whatever its last bytes are", async () => {
  for (const end of ["", "err", 'data: {"error', ": error: comment\n\n", "id: error\n\n", "event: error\n\n"]) {
    const [kind, message] = await failureOf([half + end])
    assert.deepEqual([kind, message], ["network", "the reply of test ended before it was complete"], end)
  }
})

test("lines that are not event fields change nothing in a complete reply", async () => {
  const over = events({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }, "[DONE]")
  const ports = {
    transport: fakeTransport({ body: [half, "trace: 1\n\n", over, "error: late\n\n"] }),
    clock: manualClock(),
    credential: null,
  }
  const { reply } = await collect(await openProvider(modelOf(), ports))
  assert.equal(reply.ok && reply.message.stopReason, "stop")
})

test("an error keeps its message after a long stream, and text inside a long event is no error", async () => {
  const long = half.repeat(2000)
  assert.deepEqual(
    (await failureOf([...randomPieces(Buffer.from(`${long}error: out of memory\n\n`), 5)]))[0],
    "overloaded",
  )
  // The event is cut within its data, whose start is no longer stored.
  const text = `${"x".repeat(300)}\\nerror: y `.repeat(1000)
  const cut = `data: {"choices":[{"index":0,"delta":{"content":"${text}`
  assert.deepEqual((await failureOf([...randomPieces(Buffer.from(half + cut), 5)]))[0], "network")
})
