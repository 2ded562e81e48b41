import assert from "node:assert/strict"
import { test } from "node:test"
import type { Api } from "@gong/spec"
import { startConcurrentStreams } from "@gong/testing/concurrent-streams"
import { openProvider } from "../src/index.ts"
import { createTransport } from "../src/transport/transport.ts"
import { gemini } from "./differential/google-streams.ts"
import { responses } from "./differential/responses-streams.ts"
import { completions, messages } from "./differential/streams.ts"
import { requestWith, collect, manualClock, modelOf } from "./helpers.ts"

const count = 1000
const streams: readonly (readonly [api: Api, stream: string])[] = [
  ["openai-completions", completions["two calls"] ?? ""],
  ["openai-responses", responses["thoughts and two calls"] ?? ""],
  ["anthropic-messages", messages["thinking and calls"] ?? ""],
  ["google-generative-ai", gemini["thoughts and two calls"] ?? ""],
]

test(`${count} concurrent streams of all four formats in one process, none with an error`, async (t) => {
  const server = await startConcurrentStreams(count, (path) => streams[Number(path.split("/")[1])]?.[1] ?? "")
  const transport = createTransport()
  t.after(() => {
    transport.close()
    server.close()
  })
  const asked = Array.from({ length: count }, async (_, index) => {
    const which = index % streams.length
    const model = modelOf({ api: streams[which]?.[0] ?? "openai-completions", baseUrl: `${server.url}/${which}` })
    const provider = await openProvider(model, { transport, clock: manualClock(), credential: null })
    const { reply } = await collect(provider, requestWith({ draftId: `d${index}` }))
    assert.ok(reply.ok, JSON.stringify(reply))
    return { which, content: reply.message.content }
  })
  const replies = await Promise.all(asked)
  assert.equal(server.open, count)
  for (const { which, content } of replies) assert.deepEqual(content, replies[which]?.content)
  assert.equal(new Set(replies.map(({ content }) => JSON.stringify(content))).size, streams.length)
})
