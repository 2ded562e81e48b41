import assert from "node:assert/strict"
import { test } from "node:test"
import { openWithModel } from "../program.ts"

test("gong attach --until idle shows an idle session from its last message on, or completely as events", async (t) => {
  const program = await openWithModel(t, {
    turns: [
      { text: "One." },
      {
        text: "I'll look.",
        calls: [
          { name: "ls", args: {} },
          { name: "read", args: { path: "nope" } },
        ],
      },
      { text: "Two\nlines." },
      { fault: { kind: "status", status: 400 } },
    ],
  })
  await program.gong(["-p", "first\nof two", "--session-id", "one"])
  const attach = async (...args: readonly string[]) => {
    const { status, out, err } = await program.gong(["attach", "one", ...args])
    return [
      status,
      ...program
        .plain(out)
        .replaceAll(/\d+(\.\d+)? s\b/g, "N s")
        .split("\n"),
      program.plain(err),
    ]
  }
  assert.deepEqual(await attach("--until", "idle"), [
    0,
    "Watching session s1 in $REPO: read-only; a step is shown when it is stored. Ctrl+C exits.",
    "> first",
    "> of two",
    "One.",
    "",
    "",
  ])
  assert.deepEqual(await attach(), [
    2,
    "",
    "gong: session s1 is not open in another gong. gong sessions show s1 shows it; gong --session s1 continues it.\n",
  ])
  await program.gong(["-p", "second", "--session", "one"])
  assert.deepEqual(await attach("--until", "idle"), [
    0,
    "Watching session s1 in $REPO: read-only; a step is shown when it is stored. Ctrl+C exits.",
    "> second",
    "I'll look.",
    "  ls .  N s",
    "  read nope  N s  error",
    "    ENOENT: File not found: nope. Check the path with ls or find.",
    "Two",
    "lines.",
    "",
    "",
  ])
  await program.gong(["-p", "third", "--session", "one", "-m", "other"])
  assert.deepEqual(await attach("--until", "idle"), [
    0,
    "Watching session s1 in $REPO: read-only; a step is shown when it is stored. Ctrl+C exits.",
    "> third",
    "gong: custom refused the request (400 This is a scripted 400)",
    "[failed]",
    "",
    "",
  ])
  const [status, ...events] = await attach("--until", "idle", "--output", "events")
  assert.deepEqual(
    [
      status,
      events.map((line) => (String(line).startsWith("{") ? (JSON.parse(String(line)) as { type: string }).type : line)),
    ],
    [
      0,
      [
        "session",
        "model_select",
        "agent_start",
        "turn_start",
        "message_end",
        "message_end",
        "turn_end",
        "agent_end",
        "agent_start",
        "turn_start",
        "message_end",
        "message_end",
        "tool_execution_start",
        "tool_execution_start",
        "tool_execution_end",
        "tool_execution_end",
        "turn_end",
        "turn_start",
        "message_end",
        "turn_end",
        "agent_end",
        "model_select",
        "agent_start",
        "turn_start",
        "message_end",
        "turn_end",
        "failure",
        "agent_end",
        "result",
        "",
        "",
      ],
    ],
  )
  const none = await program.gong(["attach", "nope"])
  assert.deepEqual([none.status, none.err], [2, 'gong: there is no session "nope". gong sessions lists them.\n'])
})
