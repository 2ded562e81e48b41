import { inEnglish } from "@gong/testing/in-english"
import assert from "node:assert/strict"
import { test } from "node:test"
import { type AssistantContent, noUsage, type Reply } from "@gong/spec"
import { world } from "./harness.ts"

const hm: AssistantContent = { type: "thinking", text: "hm", signature: "S" }

async function ending(...content: readonly AssistantContent[]) {
  const model = { provider: "test", id: "m", api: "scripted" }
  const message = { role: "assistant", content, model, stopReason: "stop", usage: noUsage, cost: 0 } as const
  const reply: Reply = { ok: true, message }
  const w = world([], [], {
    // oxlint-disable-next-line require-yield
    request: async function* () {
      return reply
    },
  })
  const { status } = await w.go()
  const kept = w.entries.find((entry) => entry.type === "message" && entry.message.role === "assistant")
  assert.deepEqual(kept?.type === "message" && kept.message.content, content)
  return [status, ...w.steps.flatMap((step) => ("notification" in step ? [inEnglish(step.notification)] : []))]
}

test("an empty final reply is reported to the user, and its reasoning is kept", async () => {
  const notification = (text: string) => ({ code: "no-answer", level: "warn", text })
  assert.deepEqual(await ending(), ["done", notification("the model sent an empty reply")])
  assert.deepEqual(await ending(hm), ["done", notification("the model reasoned but gave no answer")])
  assert.deepEqual(await ending(hm, { type: "text", text: " \n" }), [
    "done",
    notification("the model reasoned but gave no answer"),
  ])
  assert.deepEqual(await ending(hm, { type: "text", text: "Yes." }), ["done"])
})
