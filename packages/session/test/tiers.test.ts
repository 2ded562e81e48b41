import assert from "node:assert/strict"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { connect } from "node:net"
import { test } from "node:test"
import { noUsage, textOf } from "@gong/spec"
import { pushedReply } from "@gong/llm/pushed"
import { place, start } from "./world.ts"

test("[TESTKIT-2] a pushed start, the text hello and a stop make a run whose final text is hello", async () => {
  const model = pushedReply()
  const { session, tape } = await start(place(), { provider: model })
  const run = session.prompt("say hello")
  const ref = { provider: model.model.provider, id: model.model.id, api: model.model.api }
  model.push({ type: "start", draftId: "d1", model: ref })
  model.push({ type: "text", index: 0, delta: "hello" })
  const content = [{ type: "text", text: "hello" }] as const
  const message = { role: "assistant", content, model: ref, stopReason: "stop", usage: noUsage, cost: 0 } as const
  model.end({ ok: true, message })
  assert.equal((await run).status, "done")
  const last = tape.entriesOfBranch().findLast((entry) => entry.type === "message")
  assert.equal(last?.type === "message" && textOf(last.message), "hello")
})

test("[TESTKIT-3] a run with the scripted model and the memory host opens no connection", async () => {
  let sockets = 0
  const count = (): void => void (sockets += 1)
  subscribe("net.client.socket", count)
  try {
    const call = { calls: [{ name: "read", arguments: { path: "a.txt" } }] }
    const { session } = await start(place({ files: { "/work/a.txt": "alpha" } }), { script: [call, { text: "done" }] })
    assert.equal((await session.prompt("read it")).status, "done")
    assert.equal(sockets, 0)
    // The counter counts: without this the test could not fail.
    await new Promise<void>((resolve) => connect(1, "127.0.0.1").on("error", () => resolve()))
    assert.equal(sockets, 1)
  } finally {
    unsubscribe("net.client.socket", count)
  }
})
