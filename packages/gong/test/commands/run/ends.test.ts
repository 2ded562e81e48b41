import assert from "node:assert/strict"
import { test } from "node:test"
import { openWithModel, type Program } from "../program.ts"
import type { RunOptions } from "../test-cli.ts"

async function printed(
  program: Program,
  args: readonly string[],
  options: RunOptions = {},
): Promise<readonly unknown[]> {
  const { status, out, err } = await program.gong(args, options)
  return [status, program.plain(out), program.plain(err).replaceAll(/\d+(\.\d+)? s\b/g, "N s")]
}

const write = (path: string, content: string) => ({ calls: [{ name: "write", args: { path, content } }] })

test("output and exit status of calls, retries, refusals and failures", async (t) => {
  const bash = (command: string) => ({ calls: [{ name: "bash", args: { command } }] })
  const program = await openWithModel(t, {
    turns: [
      { text: "I'll write.", ...write("a.txt", "one\ntwo\n") },
      {
        calls: [
          { name: "read", args: { path: "nope" } },
          { name: "grep", args: { pattern: "one" } },
          { name: "ls", args: {} },
        ],
      },
      { text: "Done.\n" },
      bash("touch x"),
      { text: "Not done." },
      bash("touch x"),
      { fault: { kind: "status", status: 429 } },
      { text: "After a retry." },
      { fault: { kind: "status", status: 401 } },
      { fault: { kind: "status", status: 400 } },
      write("b.txt", "b"),
      write("c.txt", "c"),
    ],
  })
  program.write({ [`${program.gongHome}/settings.json`]: '{ "retry": { "baseMs": 1 } }' })
  assert.deepEqual(await printed(program, ["-p", "write", "--yolo"], { errTerminal: true }), [
    0,
    "Done.\n",
    "custom/mock from GONG_API_KEY · full · sandbox: off\nwrite a.txt  N s  +2 -0\nread nope  N s  error\n    ENOENT: File not found: nope. Check the path with ls or find.\ngrep one  N s\nls .  N s\nN s · 4 tool calls · cost unknown · gong -c to continue\n",
  ])
  assert.deepEqual(await printed(program, ["-p", "touch", "--permission", "ask"]), [
    0,
    "Not done.\n",
    'custom/mock from GONG_API_KEY · ask · sandbox: off\ngong: bash was refused: "touch x" needs permission and nobody is here to give it.\n',
  ])
  assert.deepEqual(await printed(program, ["-p", "touch", "--permission", "ask", "--strict"]), [
    4,
    "",
    'custom/mock from GONG_API_KEY · ask · sandbox: off\ngong: Refused: "touch x" needs permission and nobody is here to give it.\n',
  ])
  assert.deepEqual(await printed(program, ["-p", "retry"]), [
    0,
    "After a retry.\n",
    "custom/mock from GONG_API_KEY · auto · sandbox: off\ngong: custom asks us to slow down (429 This is a scripted 429); try 2 of 4 in N s\n",
  ])
  assert.deepEqual(await printed(program, ["-p", "key"]), [
    1,
    "",
    "custom/mock from GONG_API_KEY · auto · sandbox: off\ngong: custom refused the key in GONG_API_KEY (401 This is a scripted 401). gong login --base-url http://127.0.0.1:PORT/v1 replaces it.\n",
  ])
  assert.deepEqual(await printed(program, ["-p", "bad", "-q"]), [
    1,
    "",
    "gong: custom refused the request (400 This is a scripted 400)\n",
  ])
  assert.deepEqual(await printed(program, ["-p", "turns", "--yolo", "--max-turns", "1"]), [
    3,
    "",
    "custom/mock from GONG_API_KEY · full · sandbox: off\ngong: The limit of this run was reached: turns.\n",
  ])
  assert.deepEqual(
    await printed(program, ["-p", "turns", "--yolo", "--max-turns", "1", "--output", "events"]).then(
      ([status, out]) => [
        status,
        String(out)
          .trimEnd()
          .split("\n")
          .map((line) => (JSON.parse(line) as { type: string }).type),
      ],
    ),
    [
      3,
      [
        "session",
        "model_select",
        "agent_start",
        "turn_start",
        "message_end",
        "message_end",
        "tool_execution_start",
        "tool_execution_end",
        "turn_end",
        "failure",
        "agent_end",
        "result",
      ],
    ],
  )
})
