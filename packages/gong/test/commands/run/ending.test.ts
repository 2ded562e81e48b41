import assert from "node:assert/strict"
import { test } from "node:test"
import { openWithModel, type Program } from "../program.ts"
import type { RunOptions } from "../test-cli.ts"

const slow = { turns: [{ fault: { kind: "status", status: 429 } }] } as const
const patient = JSON.stringify({ retry: { baseMs: 60_000 } })

async function printed(program: Program, args: readonly string[], options: RunOptions): Promise<readonly unknown[]> {
  const { status, out, err } = await program.gong(args, options)
  return [
    status,
    ...program.plain(out).split("\n"),
    ...program
      .plain(err)
      .replaceAll(/\d+(\.\d+)? s\b/g, "N s")
      .split("\n"),
  ]
}

test("Ctrl+C ends a run as interrupted: one answer, events and a conversation", async (t) => {
  const open = async () => {
    const program = await openWithModel(t, slow)
    program.write({ [`${program.gongHome}/settings.json`]: patient })
    return program
  }
  assert.deepEqual(await printed(await open(), ["-p", "x"], { interruptAt: "try 2 of" }), [
    130,
    "",
    "custom/mock from GONG_API_KEY · auto · sandbox: off",
    "gong: custom asks us to slow down (429 This is a scripted 429); try 2 of 4 in N s",
    "",
  ])
  const { status, out } = await (await open()).gong(["-p", "x", "--output", "events"], { interruptAt: "retry_start" })
  assert.deepEqual(
    [
      status,
      out
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { type: string }).type),
    ],
    [
      130,
      [
        "session",
        "model_select",
        "agent_start",
        "turn_start",
        "message_end",
        "retry_start",
        "retry_end",
        "turn_end",
        "failure",
        "agent_end",
        "result",
      ],
    ],
  )
  const talk = await open()
  const ended = await talk.gong([], { typed: ["x"], interruptAt: "try 2 of" })
  assert.deepEqual(
    [
      ended.status,
      ...talk
        .plain(ended.all)
        .replaceAll(/\d+(\.\d+)? s\b/g, "N s")
        .split("\n")
        .slice(2),
    ],
    [130, "> x", "  gong: custom asks us to slow down (429 This is a scripted 429); try 2 of 4 in N s", "Stopped.", ""],
  )
})

test("Ctrl+C ends gong rpc: current work is aborted, and the client is informed", async (t) => {
  const program = await openWithModel(t, { turns: [{ calls: [{ name: "bash", args: { command: "touch a" } }] }] })
  const { status, out } = await program.gong(["rpc"], {
    sends: [
      ["", '"type":"session"'],
      ['{"type":"prompt","text":"go"}', "never"],
    ],
    interruptAt: "permission_request",
  })
  const lines = program
    .plain(out)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; status?: string; exit?: number })
  assert.deepEqual(
    [status, lines.map(({ type }) => type), lines.at(-1)?.status, lines.at(-1)?.exit],
    [
      130,
      [
        "session",
        "model_select",
        "response",
        "agent_start",
        "turn_start",
        "message_end",
        "message_start",
        "message_update",
        "message_update",
        "message_update",
        "message_end",
        "permission_request",
        "permission_end",
        "tool_execution_end",
        "turn_end",
        "failure",
        "agent_end",
        "result",
      ],
      "interrupted",
      130,
    ],
  )
})
