import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, type Notification, phrase } from "../../src/index.ts"
import { ofNotification } from "../../src/events/of-notification.ts"

test("each notification becomes the event of its name with all its fields; a failure loses its cause", () => {
  const why = failure("network", "gone", { cause: new Error("secret") })
  const shown = { kind: "network", message: "gone", retryable: true }
  const request = {
    id: "p-1",
    toolCallId: "1",
    tool: "bash",
    args: {},
    title: "t",
    reason: "r",
    choices: ["no"],
  } as const
  const dialog = { id: "u-1", toolCallId: "1", question: "?", choices: [], freeText: true } as const
  const text = phrase`waiting`
  const cases: readonly (readonly [Notification, object])[] = [
    [
      { code: "permission_request", ...request },
      { type: "permission_request", ...request },
    ],
    [
      { code: "permission_end", id: "p-1", choice: "no", by: "user" },
      { type: "permission_end", id: "p-1", choice: "no", by: "user" },
    ],
    [
      { code: "ui_request", ...dialog },
      { type: "ui_request", ...dialog },
    ],
    [
      { code: "ui_end", id: "u-1", by: "user", text: "a" },
      { type: "ui_end", id: "u-1", by: "user", text: "a" },
    ],
    [
      { code: "compaction_start", reason: "limit", tokens: 7 },
      { type: "compaction_start", reason: "limit", tokens: 7 },
    ],
    [
      { code: "compaction_end", status: "failed", tokensBefore: 7, failure: why },
      { type: "compaction_end", status: "failed", tokensBefore: 7, failure: shown },
    ],
    [
      { code: "failure", failure: why },
      { type: "failure", failure: shown },
    ],
    [
      { code: "waiting", level: "info", text: "waiting", phrase: text },
      { type: "notice", code: "waiting", level: "info", text: "waiting", phrase: text },
    ],
    [
      { code: "waiting", level: "warn", text: "waiting" },
      { type: "notice", code: "waiting", level: "warn", text: "waiting" },
    ],
  ]
  for (const [notification, event] of cases) assert.deepEqual(ofNotification(notification), event)
})
