import assert from "node:assert/strict"
import { test } from "node:test"
import type { PermissionAnswer, PublishedStep } from "@gong/spec"
import type { Session } from "@gong/session/session"
import { english } from "@gong/texts/translator"
import type { DialogValue } from "../../../src/modes/tui/dialog/dialog.ts"
import { type AskUser, showQuestions } from "../../../src/modes/tui/dialog/questions.ts"

const request = {
  code: "permission_request",
  id: "p1",
  toolCallId: "c1",
  tool: "bash",
  args: { command: "ls" },
  title: "ls",
  reason: "level ask",
  choices: ["once", "session", "always", "no"],
  widerRule: "bash(ls *)",
  rulesFile: "~/.gong/permissions.json",
}

/** The answer to a permission question whose dialogs are answered by `ask`. */
function answered(ask: AskUser): Promise<PermissionAnswer> {
  const { promise, resolve } = Promise.withResolvers<PermissionAnswer>()
  let publish: (step: PublishedStep) => void = () => undefined
  const session = {
    subscribe(listener: (step: PublishedStep) => void) {
      publish = listener
      return () => undefined
    },
    reply: (_: string, answer: PermissionAnswer) => resolve(answer),
  } as Partial<Session> as Session
  showQuestions(english, session, "/repo", ask)
  publish({ notification: request } as unknown as PublishedStep)
  return promise
}

test("a question that cannot be shown, or is left, is answered with no", async () => {
  for (const ask of [() => Promise.reject(new Error("broken")), () => Promise.resolve(null)])
    assert.equal((await answered(ask)).choice, "no")
})

const values: readonly (readonly [readonly DialogValue[], PermissionAnswer])[] = [
  [[{ key: "y" }], { choice: "once" }],
  [[{ key: "s" }], { choice: "session" }],
  [[{ key: "a" }], { choice: "always" }],
  [[{ key: "n" }], { choice: "no" }],
  [[{ key: "e" }, { line: "too wide" }], { choice: "no", message: "too wide" }],
  [[{ key: "w" }, { key: "a" }], { choice: "always", wider: true }],
  [[{ key: "w" }, { key: "s" }], { choice: "session", wider: true }],
  [[{ key: "w" }, { key: "b" }, { key: "y" }], { choice: "once" }],
  [[{ key: "w" }, null, { key: "n" }], { choice: "no" }],
]

for (const [given, answer] of values)
  test(`a permission question answered with ${JSON.stringify(given)} is ${JSON.stringify(answer)}`, async () => {
    const left = [...given]
    assert.deepEqual(await answered(async () => left.shift() ?? null), answer)
    assert.deepEqual(left, [])
  })
