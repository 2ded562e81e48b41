import assert from "node:assert/strict"
import { test } from "node:test"
import type { PermissionAnswer, PublishedStep } from "@gong/spec"
import type { Session } from "@gong/session/session"
import { english } from "@gong/texts/translator"
import { showQuestions } from "../../../src/modes/tui/dialog/questions.ts"

test("a question that cannot be shown, or is left, is answered with no", async () => {
  for (const ask of [() => Promise.reject(new Error("broken")), () => Promise.resolve(null)]) {
    const answered = Promise.withResolvers<PermissionAnswer>()
    let publish: (step: PublishedStep) => void = () => undefined
    const session = {
      subscribe(listener: (step: PublishedStep) => void) {
        publish = listener
        return () => undefined
      },
      reply: (_: string, answer: PermissionAnswer) => answered.resolve(answer),
    } as Partial<Session> as Session
    showQuestions(english, session, "/repo", ask)
    const request = {
      code: "permission_request",
      id: "p1",
      toolCallId: "c1",
      tool: "bash",
      args: { command: "ls" },
      title: "ls",
      reason: "level ask",
      choices: ["once", "session", "no"],
    }
    publish({ notification: request } as unknown as PublishedStep)
    assert.equal((await answered.promise).choice, "no")
  }
})
