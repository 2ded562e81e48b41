import assert from "node:assert/strict"
import { test } from "node:test"
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client"
import { bounded } from "../../src/connection/bounded.ts"

/** The message as the receiver of a bounded transport gets it. */
function received(message: unknown): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const inner: Transport = { start: async () => undefined, send: async () => undefined, close: async () => undefined }
  const outer = bounded(inner)
  const got: unknown[] = []
  outer.onmessage = (one: JSONRPCMessage) => void got.push(one)
  inner.onmessage?.(message as JSONRPCMessage)
  return got[0] as Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

test("lists are cut at their limits, and stay unchanged up to them", () => {
  for (const [name, most] of [
    ["prompts", 200],
    ["resources", 1_000],
    ["resourceTemplates", 1_000],
    ["content", 1_000],
    ["contents", 1_000],
    ["messages", 1_000],
  ] as const) {
    const items = (count: number) => Array.from({ length: count }, (_, at) => at)
    for (const count of [most, most + 1, most + 2]) {
      const { result } = received({ jsonrpc: "2.0", id: 1, result: { [name]: items(count), other: 1 } })
      assert.deepEqual(result, { [name]: items(most), other: 1 }, `${count} ${name}`)
    }
  }
  const tools = Array.from({ length: 10_001 }, (_, at) => ({ name: `t${at}`, inputSchema: { type: "object" } }))
  const { result } = received({ id: 1, result: { tools } })
  assert.deepEqual(result?.["tools"], tools.slice(0, 10_000))
})

test("schemas of tools are checked, schemas of results are left out", () => {
  const { result } = received({
    id: 1,
    result: {
      tools: [
        { name: "a", inputSchema: { type: "object" }, outputSchema: { type: "object" } },
        { name: "b", title: "B", inputSchema: { type: "array" } },
        null,
      ],
    },
  })
  assert.deepEqual(result, {
    tools: [
      { name: "a", inputSchema: { type: "object" } },
      {
        name: "b",
        title: "B",
        inputSchema: { type: "object", "gong-problem": "its schema is not one of an object" },
      },
      { name: "", inputSchema: { type: "object" } },
    ],
  })
})

test("a message without a result is passed on unchanged", () => {
  for (const message of [
    { jsonrpc: "2.0", method: "notifications/x", params: { tools: [null] } },
    { jsonrpc: "2.0", id: 1, error: { code: 1, message: "m" } },
    { jsonrpc: "2.0", id: 1, result: null },
  ])
    assert.equal(received(message), message)
})

test("other members are those of the transport, bound to it", async () => {
  class Inner implements Transport {
    readonly #sent: unknown[] = []
    onclose?: () => void
    sessionId = "s"
    async start() {}
    async close() {}
    async send(message: JSONRPCMessage) {
      this.#sent.push(message)
    }
    get sent() {
      return this.#sent
    }
  }
  const inner = new Inner()
  const outer = bounded(inner)
  await outer.send({ jsonrpc: "2.0", method: "m" })
  assert.deepEqual([inner.sent.length, outer.sessionId], [1, "s"])
  const closed = () => undefined
  outer.onclose = closed
  assert.equal(inner.onclose, closed)
  outer.onmessage = undefined
  assert.equal((inner as Transport).onmessage, undefined)
})
