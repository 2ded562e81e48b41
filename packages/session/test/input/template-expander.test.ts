import assert from "node:assert/strict"
import { test } from "node:test"
import { FailureError, failure, type Hook, textOf } from "@gong/spec"
import type { TemplateExpander } from "../../src/input/template-expander.ts"
import { place, start } from "../world.ts"

/** `/x a` expands to `X a!`; `/skill:` never exists. */
const expander: TemplateExpander = {
  refresh: async () => [],
  skillAt: () => null,
  expand: (text) =>
    text.startsWith("/skill:")
      ? { ok: false, failure: failure("bad-request", "there is no such skill") }
      : { ok: true, text: text.replace(/^\/x (.*)$/, "X $1!") },
}

test("typed input is expanded once, for prompts, steers and follow-ups; hooks see the typed and the expanded text", async () => {
  const seen: string[] = []
  const hook: Hook = {
    name: "watch",
    onInput: async (text) => {
      seen.push(`typed ${text}`)
      return { answer: "passthrough" }
    },
    onBeforeAgent: async (prompt) => {
      seen.push(`meant ${prompt}`)
      return undefined
    },
  }
  const running = await start(place(), { expander, hooks: [hook], script: Array(4).fill({ text: "ok" }) })
  await running.session.steer("/x steer")
  await running.session.followUp("/x later")
  const end = await running.session.prompt("/x /x now")
  assert.equal(end.status, "done")
  assert.deepEqual(seen, ["typed /x /x now", "meant X /x now!"])
  const asked =
    running.asked
      .at(-1)
      ?.filter(({ role }) => role === "user")
      .map(textOf) ?? []
  assert.deepEqual(asked.toSorted(), ["X /x now!", "X later!", "X steer!"])
})

test("[SKILL-C.4] a skill that is not there ends the prompt before anything is sent or kept; a steer is refused", async () => {
  const running = await start(place(), { expander })
  const end = await running.session.prompt("/skill:x")
  assert.deepEqual([end.status, end.failure?.kind, end.turns], ["failed", "bad-request", 0])
  assert.equal(running.asked.length, 0)
  assert.deepEqual(running.entries(), [])
  for (const send of [running.session.steer, running.session.followUp]) {
    await assert.rejects(
      send("/skill:x"),
      (error) => error instanceof FailureError && error.failure.kind === "bad-request",
    )
  }
  assert.equal(running.session.running, false)
})

test("notifications of the library are shown before the prompt is sent", async () => {
  const notification = { code: "skill", level: "warn", text: "a file is wrong" } as const
  const running = await start(place(), {
    expander: { ...expander, refresh: async () => [notification] },
    script: [{ text: "ok" }],
  })
  await running.session.prompt("go")
  assert.deepEqual(running.steps[0], { notification })
})
