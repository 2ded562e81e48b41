import assert from "node:assert/strict"
import { test } from "node:test"
import { messageFromPi, userContent } from "../../src/exchange/pi-message.ts"

const text = (printed: string) => ({ type: "text", text: printed })
const image = { type: "image", mimeType: "image/png", data: "AA==" }

test("content is a text, or blocks of text and images that have all that they need", () => {
  assert.deepEqual(userContent("plain"), [text("plain")])
  const { mimeType: _, ...untyped } = image
  const { data: _d, ...empty } = image
  const wrong = [{ type: "text" }, { type: "text", text: 7 }, untyped, empty, { ...image, type: "audio" }, null, 7, "x"]
  assert.deepEqual(userContent([{ ...text("a"), more: 1 }, ...wrong, { ...image, text: "b", more: 1 }]), [
    text("a"),
    image,
  ])
  for (const none of [undefined, null, 7, {}]) assert.deepEqual(userContent(none), [])
})

const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
const plain = {
  role: "assistant",
  content: [],
  model: { provider: "unknown", id: "unknown", api: "unknown" },
  stopReason: "stop",
  usage,
  cost: null,
}
const failure = { kind: "network", message: "gone", retryable: true }
const bad = (message: string) => ({ failure: { kind: "bad-reply", message, retryable: false } })

test("a reply of Pi is one of ours, with Gong's own fields, and invalid field values are omitted", () => {
  for (const [message, expected] of [
    [{}, {}],
    [{ provider: "p", model: "m", api: "a" }, { model: { provider: "p", id: "m", api: "a" } }],
    [{ provider: 1, model: 2, api: 3, gong: 7, usage: 7 }, {}],
    [{ stopReason: "stop" }, {}],
    [{ stopReason: "length" }, { stopReason: "length" }],
    [{ stopReason: "toolUse" }, { stopReason: "tool_calls" }],
    [{ stopReason: "error" }, { stopReason: "error" }],
    [{ stopReason: "aborted" }, { stopReason: "aborted" }],
    [{ stopReason: "tool_calls" }, {}],
    [{ errorMessage: "no" }, bad("no")],
    [{ errorMessage: 7 }, {}],
    [
      { errorMessage: "no", stopReason: "aborted" },
      { stopReason: "aborted", failure: { kind: "aborted", message: "no", retryable: false } },
    ],
    [{ errorMessage: "no", gong: { failure } }, { failure }],
    [{ errorMessage: "no", gong: { failure: "x" } }, bad("no")],
    [{ gong: { durationMs: 3, firstTokenMs: 2 } }, { durationMs: 3, firstTokenMs: 2 }],
    [{ gong: { durationMs: "3", firstTokenMs: "2" } }, {}],
    [
      { usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 5 } },
      { usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 5 } },
    ],
    [{ usage: { input: "1", output: Number.POSITIVE_INFINITY, cacheRead: null } }, {}],
    [{ usage: { cost: { total: 0.5, input: 1 } } }, { cost: 0.5 }],
    [{ usage: { cost: { total: 0, input: 1 } } }, { cost: 1 }],
    [{ usage: { cost: { total: Number.POSITIVE_INFINITY, input: 1 } } }, { cost: 1 }],
    [{ usage: { cost: { total: -1, input: 0.5 } } }, { cost: -0.5 }],
    [{ usage: { cost: { total: "1" } } }, {}],
    [{ usage: { cost: { total: 1 } }, gong: { cost: null } }, {}],
    [{ usage: { cost: { total: 1 } }, gong: { cost: 2 } }, { cost: 1 }],
    [{ usage: { cost: 7 } }, {}],
  ] as const)
    assert.deepEqual(
      messageFromPi({ role: "assistant", ...message }),
      { ...plain, ...expected },
      JSON.stringify(message),
    )
})

test("blocks of a reply: text, thoughts with their signature, and calls that have an id and a name", () => {
  const call = { type: "toolCall", id: "c1", name: "read" }
  const ours = { type: "tool_call", id: "c1", name: "read", arguments: {} }
  for (const [content, expected] of [
    ["said", [text("said")]],
    [[{ ...text("a"), thoughtSignature: "s" }, { type: "text" }, null, 7], [text("a")]],
    [[{ type: "thinking", thinking: "hm" }], [{ type: "thinking", text: "hm" }]],
    [
      [{ type: "thinking", thinking: 7, thinkingSignature: "s", redacted: true }],
      [{ type: "thinking", text: "", signature: "s", redacted: true }],
    ],
    [[{ type: "thinking", thinkingSignature: 7, redacted: "yes" }], [{ type: "thinking", text: "" }]],
    [[call], [ours]],
    [[{ ...call, arguments: { path: "a" } }], [{ ...ours, arguments: { path: "a" } }]],
    [[{ ...call, arguments: [1] }], [ours]],
    [[{ ...call, broken: "{", thoughtSignature: "s" }], [{ ...ours, broken: "{", signature: "s" }]],
    [[{ ...call, broken: 7, thoughtSignature: 7 }], [ours]],
    [
      [
        { ...call, id: 7 },
        { ...call, name: 7 },
        { ...call, type: "call" },
      ],
      [],
    ],
    [7, []],
  ] as const)
    assert.deepEqual(messageFromPi({ role: "assistant", content }), { ...plain, content: expected })
})

test("a result of Pi has the status that Gong recorded, otherwise one by its error", () => {
  const ours = { role: "tool", toolCallId: "c1", toolName: "unknown", content: [], details: null }
  for (const [message, expected] of [
    [{}, { isError: false, status: "ok" }],
    [{ isError: true }, { isError: true, status: "error" }],
    [{ isError: "true" }, { isError: false, status: "ok" }],
    [
      { isError: true, gong: { status: "refused" } },
      { isError: true, status: "refused" },
    ],
    [{ gong: { status: 7, files: 7, durationMs: "7" } }, { isError: false, status: "ok" }],
    [{ gong: { files: [], durationMs: 7 } }, { isError: false, status: "ok", files: [], durationMs: 7 }],
    [
      { gong: "x", details: "x" },
      { isError: false, status: "ok" },
    ],
    [
      { toolName: "read", details: { a: 1 }, content: "said" },
      { isError: false, status: "ok", toolName: "read", details: { a: 1 }, content: [text("said")] },
    ],
  ] as const)
    assert.deepEqual(messageFromPi({ role: "toolResult", toolCallId: "c1", ...message }), { ...ours, ...expected })
  assert.equal(messageFromPi({ role: "toolResult" }), null)
})

test("messages of the user, of extensions and of summaries; of other roles there is none", () => {
  const custom = { type: "custom_message", customType: "unknown", content: [], display: false }
  for (const [message, expected] of [
    [
      { role: "user", content: "go" },
      { role: "user", content: [text("go")] },
    ],
    [{ role: "custom" }, custom],
    [
      { role: "custom", display: "yes", details: null },
      { ...custom, details: null },
    ],
    [
      { role: "custom", customType: "memo", content: "x", display: true, details: { a: 1 } },
      { type: "custom_message", customType: "memo", content: [text("x")], display: true, details: { a: 1 } },
    ],
    [
      { role: "branchSummary", summary: "left" },
      { role: "user", content: [text("left")] },
    ],
    [
      { role: "compactionSummary", summary: "so far" },
      { role: "user", content: [text("so far")] },
    ],
    [{ role: "branchSummary" }, null],
    [{ role: "compactionSummary", summary: 7 }, null],
    [{ role: "bashExecution", excludeFromContext: true }, null],
    [{ role: "system", content: "be good" }, null],
    [{}, null],
  ] as const)
    assert.deepEqual(messageFromPi(message), expected, JSON.stringify(message))
})

test("a command of Pi's user: missing or mistyped fields count as absent", () => {
  const details = { status: "error", command: "", exit_code: null, truncated: false }
  const printed = (command: string, output: string) => ({
    type: "custom_message",
    customType: "user-command",
    content: [text(`The user ran a command:\n$ ${command}\n\n${output}`)],
    display: true,
  })
  const bySignal = "Command was ended by a signal"
  for (const [message, command, output, expected] of [
    [{}, "", bySignal, {}],
    [
      { excludeFromContext: "yes", exitCode: "0", cancelled: "yes", timestamp: "1", truncated: "yes" },
      "",
      bySignal,
      {},
    ],
    [{ exitCode: 0, timestamp: 0 }, "", "(no output)", { status: "ok", exit_code: 0, started_at: 0 }],
    [{ cancelled: true, exitCode: 0 }, "", "Command aborted", { status: "aborted", exit_code: 0 }],
    [{ command: "ls", output: "a\n\n", exitCode: 0 }, "ls", "a\n", { status: "ok", command: "ls", exit_code: 0 }],
    [{ output: "a\nb", exitCode: 0, truncated: true }, "", "a\nb", { status: "ok", exit_code: 0, truncated: true }],
    [{ exitCode: 0, fullOutputPath: "/o" }, "", "(no output)", { status: "ok", exit_code: 0, fullOutputPath: "/o" }],
    [
      { exitCode: 0, truncated: true, fullOutputPath: "/o" },
      "",
      "[Output truncated. Full output: /o]",
      { status: "ok", exit_code: 0, truncated: true, fullOutputPath: "/o" },
    ],
    [{ output: "a", exitCode: 1 }, "", "a\n\nCommand exited with code 1", { exit_code: 1 }],
  ] as const)
    assert.deepEqual(
      messageFromPi({ role: "bashExecution", ...message }),
      { ...printed(command, output), details: { ...details, ...expected } },
      JSON.stringify(message),
    )
})
