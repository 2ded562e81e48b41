import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry } from "@gong/spec"
import type { Branch } from "@gong/tape"
import { replayHooks } from "../../../../src/commands/sessions/replay/hooks.ts"
import type { RecordedRun } from "../../../../src/commands/sessions/replay/plan.ts"

const message = (customType: string, text: string) => ({
  type: "custom_message",
  customType,
  content: [{ type: "text", text }],
})

const list = [
  message("hook.b", "one"),
  message("hook.a", "two"),
  message("other", "three"),
  message("hook.b", "four"),
  { type: "input", kind: "prompt" },
  message("hook.c", "five"),
] as unknown as readonly Entry[]

const all = { length: list.length, entry: (position: number) => list[position] } as unknown as Branch

function hooksOf(run: { first: number; prompt: number }, expected?: object) {
  return replayHooks(
    all,
    () => run as unknown as RecordedRun,
    () => expected as Entry | undefined,
  )
}

test("each recorded hook repeats its messages before the prompt, in the order of the hooks", async () => {
  const added = async (first: number, prompt: number) => {
    const hooks = hooksOf({ first, prompt })
    return Promise.all(
      hooks.map(async ({ name, onBeforeAgent }) => {
        const answer = await onBeforeAgent?.({} as never, {} as never, {} as never)
        const messages = (answer as { messages?: readonly { role: string; content: readonly { text: string }[] }[] })
          ?.messages
        return [name, ...(messages ?? []).map(({ role, content }) => `${role} ${content[0]?.text}`)]
      }),
    )
  }
  assert.deepEqual(await added(0, 4), [["b", "user one", "user four"], ["a", "user two"], ["c"], ["recorded"]])
  assert.deepEqual(await added(1, 3), [["b"], ["a", "user two"], ["c"], ["recorded"]])
  assert.deepEqual(await added(4, 4), [["b"], ["a"], ["c"], ["recorded"]])
})

test("a stop hook continues a run as recorded, with the same reason", async () => {
  const answer = (expected?: object) =>
    hooksOf({ first: 0, prompt: 0 }, expected)
      .at(-1)
      ?.beforeStop?.({} as never, {} as never)
  assert.deepEqual(await answer(message("gong.hook", "go on")), { answer: "block", reason: "go on" })
  for (const other of [undefined, message("hook.x", "go on"), { type: "message", customType: "gong.hook" }])
    assert.deepEqual(await answer(other), { answer: "ok" })
})
