import assert from "node:assert/strict"
import type { AddressInfo, Socket } from "node:net"
import { test, type TestContext } from "node:test"
import type { Clock, Model } from "@gong/spec"
import { openProvider } from "../src/index.ts"
import { createTransport } from "../src/transport/transport.ts"
import { gemini } from "./differential/google-streams.ts"
import { responses } from "./differential/responses-streams.ts"
import { completions, messages } from "./differential/streams.ts"
import { requestWith, collect, modelOf } from "./helpers.ts"

const { createServer } = process.getBuiltinModule("node:http")

const clock: Clock = {
  now: Date.now,
  sleep: () => Promise.reject(new Error("nothing sleeps here")),
  timer(ms, callback) {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

/** Sends one stream to every request, in chunks of `size` bytes. */
async function serve(t: TestContext, stream: string, size: number) {
  const sockets = new Set<Socket>()
  const bytes = Buffer.from(stream)
  const server = createServer((request, response) => {
    sockets.add(request.socket)
    request.resume().on("end", () => {
      for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size))
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const transport = createTransport()
  t.after(() => {
    transport.close()
    server.closeAllConnections()
    server.close()
  })
  return { sockets, transport, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const cases: readonly (readonly [Partial<Model>, string])[] = [
  [{ api: "openai-completions" }, completions["two calls"] ?? ""],
  [{ api: "openai-responses" }, responses["thoughts and two calls"] ?? ""],
  [{ api: "anthropic-messages" }, messages["thinking and calls"] ?? ""],
  [{ api: "google-generative-ai" }, gemini["thoughts and two calls"] ?? ""],
]
for (const [model, stream] of cases) {
  test(`${model.api} over a real connection: the same reply in any chunks, and one connection for all turns`, async (t) => {
    const replies: unknown[] = []
    for (const size of [1, 7, 100_000]) {
      const { sockets, transport, origin } = await serve(t, stream, size)
      const provider = await openProvider(modelOf({ ...model, baseUrl: origin }), {
        transport,
        clock,
        credential: null,
      })
      for (let turn = 0; turn < 3; turn++) {
        const { reply } = await collect(provider, requestWith())
        assert.ok(reply.ok, JSON.stringify(reply))
        replies.push(reply.message.content)
      }
      assert.equal(sockets.size, 1)
    }
    for (const content of replies) assert.deepEqual(content, replies[0])
  })
}
