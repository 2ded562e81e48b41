import assert from "node:assert/strict"
import { test } from "node:test"
import type { Api, PartialUpdate } from "@gong/spec"
import { openProvider } from "../../src/index.ts"
import { randomPieces } from "../differential/pieces.ts"
import { collect, fakeTransport, manualClock, modelOf } from "../helpers.ts"
import { anthropicHosts } from "./anthropic-hosts.ts"
import { documented } from "./chat-documented.ts"
import { providers } from "./chat-recorded.ts"
import { servers } from "./chat-servers.ts"
import { chatExpected, chatStream } from "./chat-stream.ts"
import type { Expected, HostStream } from "./facts.ts"
import { googleHosts } from "./google-hosts.ts"
import { responsesHosts } from "./responses-hosts.ts"

const chat = [...providers, ...servers, ...documented].map((facts): HostStream => ({
  ...facts,
  api: "openai-completions",
  stream: chatStream(facts),
  expected: chatExpected(facts),
}))
const hosts = [...chat, ...anthropicHosts, ...googleHosts, ...responsesHosts]

/** The same bytes in one chunk, as single bytes, and cut at five sets of positions. */
function splitsOf(bytes: Uint8Array): readonly (readonly Uint8Array[])[] {
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
  return [[bytes], single, ...[3, 7, 11, 19, 23].map((seed) => randomPieces(bytes, seed))]
}

async function read(
  api: Api,
  body: readonly Uint8Array[],
): Promise<{ partials: readonly PartialUpdate[]; reply: Expected }> {
  const ports = { transport: fakeTransport({ body }), clock: manualClock(), credential: null }
  const { partials, reply } = await collect(await openProvider(modelOf({ api }), ports))
  assert.ok(reply.ok, JSON.stringify(reply))
  const { content, stopReason, usage } = reply.message
  return { partials, reply: { content, stopReason, usage } }
}

/** The displayed text of each block, in order of blocks. */
function shown(partials: readonly PartialUpdate[]): readonly string[] {
  const blocks: string[] = []
  for (const partial of partials)
    if (partial.type === "text" || partial.type === "thinking" || partial.type === "args")
      blocks[partial.index] = (blocks[partial.index] ?? "") + partial.delta
  return blocks.filter((block) => block !== "")
}

for (const { host, api, stream, expected } of hosts)
  test(`[PROVIDER-ADP.2] [PROVIDER-ADP.3] ${host} over ${api}: text, reasoning, calls, stop and usage are the same in any chunks`, async () => {
    for (const body of splitsOf(new TextEncoder().encode(stream))) {
      const { partials, reply } = await read(api, body)
      assert.deepEqual(reply, expected)
      const reported = expected.content.flatMap((block) =>
        block.type === "tool_call" ? [] : block.text === "" ? [] : [block.text],
      )
      const words = shown(partials)
      assert.deepEqual(words.slice(0, reported.length), reported, "the displayed text is the stored text")
      assert.deepEqual(
        words.slice(reported.length).map((args) => JSON.parse(args) as unknown),
        expected.content.flatMap((block) => (block.type === "tool_call" ? [block.arguments] : [])),
      )
    }
  })

test("the table has at least 40 hosts, each with a public source, at least half with recordings", () => {
  assert.ok(new Set(hosts.map(({ host }) => host)).size >= 40)
  assert.ok(hosts.every(({ source }) => source.length > 10))
  assert.ok(hosts.filter(({ basis }) => basis === "recorded").length >= hosts.length / 2)
})
