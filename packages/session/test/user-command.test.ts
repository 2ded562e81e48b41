import assert from "node:assert/strict"
import { test } from "node:test"
import { place, start, tool } from "./world.ts"

test("a command of the user has the status of its tool; a private one is not for the model", async () => {
  for (const [more, status] of [
    [{ isError: false }, "ok"],
    [{ isError: true }, "error"],
    [{ isError: true, status: "timeout" }, "timeout"],
  ] as const) {
    const bash = {
      ...tool("bash", () => ""),
      execute: async () => ({ content: [{ type: "text", text: "out" } as const], details: { code: 1 }, ...more }),
    }
    const { session, entries } = await start(place(), { bash })
    const shown = await session.command({ command: "ls" })
    const hidden = await session.command({ command: "ls", private: true })
    assert.deepEqual([shown.status, hidden.status, shown.output], [status, status, "out"])
    assert.match(shown.callId, /^user-/)
    const text = "The user ran a command:\n$ ls\n\nout"
    const written = entries().map(({ id, parentId: _, timestamp: _t, ...body }) => [id, body] as const)
    assert.deepEqual(written, [
      [
        shown.entry,
        {
          type: "custom_message",
          customType: "user-command",
          content: [{ type: "text", text }],
          display: true,
          details: { status, code: 1 },
        },
      ],
      [hidden.entry, { type: "custom", customType: "user-command", data: { text, status, code: 1 } }],
    ])
  }
})
