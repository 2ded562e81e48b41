import assert from "node:assert/strict"
import { test } from "node:test"
import type { Decision } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { permitted } from "../../src/questions/permit.ts"
import { createQuestions } from "../../src/questions/questions.ts"

test("a permission is by policy, or by the person who is asked; without a person there is none to ask", async () => {
  const call = { tool: "bash", arguments: { command: "ls" }, title: "ls" }
  const { signal } = new AbortController()
  const asking = (verdict: Decision, choice: "once" | "always" | "no") => {
    const log: unknown[] = []
    const questions = createQuestions({ clock: manualClock(), answerTime: () => null })
    const policy = {
      decide: async () => verdict,
      remember: async (_: unknown, ...given: readonly unknown[]) => void log.push(["remember", ...given]),
    }
    const ids = { entry: () => "e", tape: () => "t" }
    const permit = permitted({ policy, ids, interactive: true }, questions, (notification) => {
      log.push(notification.code)
      if (notification.code === "permission_request") questions.reply(notification.id, { choice })
    })
    return { log, answer: permit?.(call, signal) }
  }
  const ask: Decision = { verdict: "ask", reason: "r", rules: { suggestedRule: "bash(ls)", rulesFile: "/r" } }
  const shown = ["permission_request", "permission_end"]
  for (const [verdict, choice, expected, log] of [
    [{ verdict: "allow" }, "once", true, []],
    [{ verdict: "deny", reason: "", toModel: "" }, "once", false, []],
    [ask, "once", true, [...shown, ["remember", "once", undefined]]],
    [ask, "always", true, [...shown, ["remember", "always", undefined]]],
    [ask, "no", false, shown],
  ] as const) {
    const asked = asking(verdict, choice)
    assert.equal(await asked.answer, expected)
    assert.deepEqual(asked.log, log)
  }
  assert.equal(
    permitted({ interactive: false } as never, {} as never, () => undefined),
    null,
  )
})
