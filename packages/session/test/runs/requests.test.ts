import assert from "node:assert/strict"
import { test } from "node:test"
import { type Api, type Hook, type Model, userText } from "@gong/spec"
import { openProvider } from "@gong/llm"
import type { Turn } from "@gong/testing/model-server/turn"
import { settle } from "@gong/testing/sim/clock"
import { simTransport } from "@gong/testing/sim/transport"
import { gate, place, type Place, start, type StartOptions, tool } from "../world.ts"

/** A session over a real wire format; its requests are checked by the request validator. */
async function wired(where: Place, api: Api, turns: readonly Turn[], options: StartOptions = {}) {
  const model: Model = {
    provider: "test",
    id: "m",
    api,
    baseUrl: "http://model.test/v1",
    contextWindow: 100_000,
    maxOutput: 8000,
    reasoning: false,
    images: true,
  }
  const server = simTransport({ clock: where.clock, turns })
  const credential = { key: "k", from: "test" }
  const provider = await openProvider(model, { transport: server, clock: where.clock, credential })
  return { ...(await start(where, { provider, ...options })), server }
}

const read = { calls: [{ name: "read", args: { path: "a.txt" } }] }

for (const api of ["openai-completions", "openai-responses", "anthropic-messages", "google-generative-ai"] as const) {
  test(`[TOOLRES-S.8] ${api}: only a result's content is sent, never its details`, async () => {
    const where = place({ files: { "/work/a.txt": "alpha\n" } })
    const noisy = tool("noisy", () => "the content")
    const { session, server, tape } = await wired(
      where,
      api,
      [{ calls: [{ name: "noisy", args: {} }] }, { text: "end" }],
      {
        tools: () => [
          {
            ...noisy,
            execute: async () => ({
              content: [{ type: "text", text: "the content" }],
              details: { hidden: "only for people" },
              isError: false,
            }),
          },
        ],
      },
    )
    assert.equal((await session.prompt("go")).status, "done")
    const body = JSON.stringify(server.requests[1]?.body)
    assert.ok(body.includes("the content"))
    assert.ok(!body.includes("only for people") && !body.includes("hidden"))
    assert.ok(JSON.stringify(tape.entriesOfBranch()).includes("only for people"), "the tape holds them")
    assert.deepEqual(server.problems, [])
  })

  test(`[AGENT-4.2] ${api}: after an interrupted call the next request is valid`, async () => {
    const where = place()
    const hold = gate()
    const slow = tool("slow", async (_, { signal }) => {
      signal.addEventListener("abort", () => hold.open())
      await hold.opened
      throw new Error("stopped half-way")
    })
    const quick = tool("quick", () => "done")
    const calls = [
      { name: "quick", args: {} },
      { name: "slow", args: {} },
      { name: "quick", args: {} },
    ]
    const { session, server } = await wired(where, api, [{ calls }, { text: "I see" }], { tools: () => [quick, slow] })
    const run = session.prompt("go")
    for (let round = 0; round < 5; round++) await settle()
    session.abort()
    assert.equal((await run).status, "interrupted")
    assert.equal((await session.prompt("and now?")).status, "done")
    assert.deepEqual([server.problems, server.requests.length], [[], 2])
  })

  test(`[AGENT-4.2] ${api}: after a crash in a call the next process sends a valid request`, async () => {
    const where = place()
    const forever = tool("forever", () => new Promise<string>(() => undefined))
    const calls = [
      { name: "forever", args: {} },
      { name: "forever", args: {} },
    ]
    const first = await wired(where, api, [{ calls }], { tools: () => [forever] })
    first.session.prompt("go").catch(() => undefined)
    for (let round = 0; round < 5; round++) await settle()
    first.kill()
    const { session, server, repaired } = await wired(where, api, [{ text: "I see" }], { tools: () => [forever] })
    assert.equal(repaired.calls, 2)
    assert.equal((await session.prompt("and now?")).status, "done")
    assert.deepEqual(server.problems, [])
    const body = JSON.stringify(server.requests[0]?.body)
    assert.ok(body.includes("Interrupted: Gong stopped while this ran") && body.includes("Not run: Gong stopped"))
  })

  test(`[AGENT-S.36] ${api}: a context hook changes the request and never the tape`, async () => {
    const trim: Hook = {
      name: "trim",
      onContext: async (messages) => [userText("from outside"), ...messages.slice(-1)],
    }
    const { session, server, tape } = await wired(place(), api, [{ text: "one" }, { text: "two" }], { hooks: [trim] })
    await session.prompt("first words")
    await session.prompt("second words")
    const body = JSON.stringify(server.requests[1]?.body)
    assert.ok(body.includes("from outside") && body.includes("second words") && !body.includes("first words"))
    const tapeText = JSON.stringify(tape.entriesOfBranch())
    assert.ok(tapeText.includes("first words") && !tapeText.includes("from outside"))
    assert.deepEqual(server.problems, [])
  })

  test(`[PROVIDER-MSG.1] [PROVIDER-MSG.2] ${api}: hooks see the context first, then it is put in the wire's words and made whole; of extensions only what they say is sent`, async () => {
    const seen: string[] = []
    const cut: Hook = {
      name: "cut",
      onContext: async (messages) => {
        seen.push(JSON.stringify(messages))
        return messages.filter(({ role }) => role !== "tool")
      },
    }
    const where = place({ files: { "/work/a.txt": "alpha\n" } })
    const { session, server, tape } = await wired(where, api, [read, { text: "end" }], { hooks: [cut] })
    const content = [{ type: "text", text: "a note for the model" }] as const
    tape.append(
      [
        { type: "custom", customType: "x.state", data: "a state of its own" },
        { type: "custom_message", customType: "x.note", content, display: true, details: "for the screen" },
      ],
      { sync: false },
    )
    assert.equal((await session.prompt("go")).status, "done")
    assert.match(seen[1] ?? "", /"role":"tool".*alpha.*"details"/)
    const body = JSON.stringify(server.requests[1]?.body)
    assert.ok(!body.includes("alpha") && body.includes("No result provided"), "made whole after the hook")
    assert.ok(body.includes("a note for the model"))
    assert.ok(!body.includes("a state of its own") && !body.includes("for the screen"))
    assert.deepEqual(server.problems, [])
  })

  test(`${api}: a known secret that a tool reads is neither sent nor on the tape`, async () => {
    const where = place({ files: { "/work/a.txt": "token sk-123\n" } })
    const redact = (text: string): string => text.replaceAll("sk-123", "[redacted]")
    const { session, server, tape } = await wired(where, api, [read, { text: "end" }], { redact })
    await session.prompt("read it")
    assert.ok(JSON.stringify(server.requests[1]?.body).includes("token [redacted]"))
    assert.ok(!JSON.stringify(server.requests).includes("sk-123"))
    assert.ok(!JSON.stringify(tape.entriesOfBranch()).includes("sk-123"))
  })
}
