import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { test } from "node:test"
import { openWithModel } from "../program.ts"

const price = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 }

test("a task runs in its own session with its own tools, model, limits and cost", async (t) => {
  const task = (prompt: string, more = {}) => ({
    calls: [{ name: "task", args: { prompt, description: prompt, ...more } }],
  })
  const program = await openWithModel(t, {
    turns: [
      task("look", { tools: ["read", "ls"] }),
      { calls: [{ name: "ls", args: {} }] },
      { text: "There is a.txt." },
      task("wrong", { tools: ["hammer", "task"] }),
      task("write it"),
      { calls: [{ name: "write", args: { path: "b.txt", content: "b\n" } }] },
      { text: "Written." },
      task("fails"),
      { fault: { kind: "status", status: 400 } },
      task("tries again"),
      { fault: { kind: "status", status: 429 } },
      { text: "At last." },
      { text: "All done." },
    ],
  })
  const { GONG_BASE_URL, GONG_API_KEY } = program.env
  program.write({
    "a.txt": "a\n",
    [`${program.gongHome}/models.json`]: JSON.stringify({
      providers: {
        lab: {
          baseUrl: GONG_BASE_URL,
          keys: ["LAB_KEY"],
          models: {
            big: { contextWindow: 64_000, maxOutput: 4000, price },
            small: { contextWindow: 64_000, maxOutput: 4000, price },
          },
        },
      },
    }),
    [`${program.gongHome}/settings.json`]: JSON.stringify({ task: { model: "lab/small" }, retry: { baseMs: 1 } }),
  })
  const env = { GONG_BASE_URL: undefined, GONG_MODEL: "lab/big", GONG_API_KEY: undefined, LAB_KEY: GONG_API_KEY }
  const { status, out, err } = await program.gong(["-p", "go", "--yolo", "--tools", "+task"], {
    env,
    errTerminal: true,
  })
  assert.deepEqual(
    [
      status,
      out,
      program
        .plain(err)
        .replaceAll(/\d+(\.\d+)? s\b/g, "N s")
        .replaceAll(/\[task \w{8}/g, "[task ID")
        .split("\n"),
    ],
    [
      0,
      "All done.\n",
      [
        "lab/big from LAB_KEY · full · sandbox: off",
        "task look ...",
        "  ls .  N s",
        "task look  N s",
        "task wrong ...",
        "task wrong  N s  error",
        "    Not begun: a task cannot be given hammer, task. It can have: read, write, edit, bash, grep, find, ls.",
        "task write it ...",
        "  write b.txt  N s  +1 -0",
        "task write it  N s  +1 -0",
        "task fails ...",
        "task fails  N s  error",
        "    The task failed: lab refused the request (400 This is a scripted 400). What it said last:",
        "    (It said nothing.)",
        "    [task ID: 0 turns, 0 tool calls]",
        "task tries again ...",
        "gong: lab asks us to slow down (429 This is a scripted 429); try 2 of 4 in N s",
        "task tries again  N s",
        "N s · 5 tool calls · $0.0022 · gong -c to continue",
        "",
      ],
    ],
  )
  assert.deepEqual(
    program.server.requests.map(({ body }) => (body as { model: string }).model),
    ["big", "small", "small", "big", "big", "small", "small", "big", "small", "big", "small", "small", "big"],
  )
  assert.deepEqual(
    program.server.requests.map(
      ({ body }) => (body as { tools?: readonly { function: { name: string } }[] }).tools?.length ?? 0,
    ),
    [8, 2, 2, 8, 8, 7, 7, 8, 7, 8, 7, 7, 8],
  )
  const results = program.server.requests
    .flatMap(({ body }) => (body as { messages: readonly { role: string; content: string }[] }).messages)
    .filter(({ role }) => role === "tool")
    .map(({ content }) => program.plain(content).replace(/task [0-9a-f]{8}/, "task ID"))
  assert.deepEqual(
    [...new Set(results)],
    [
      ".git/\na.txt",
      "There is a.txt.\n\n[task ID: 2 turns, 1 tool call]",
      "Not begun: a task cannot be given hammer, task. It can have: read, write, edit, bash, grep, find, ls.",
      "Successfully wrote 2 bytes to b.txt",
      "Written.\n\n[task ID: 2 turns, 1 tool call]",
      "The task failed: lab refused the request (400 This is a scripted 400). What it said last:\n\n(It said nothing.)\n\n[task ID: 0 turns, 0 tool calls]",
      "At last.\n\n[task ID: 1 turn, 0 tool calls]",
    ],
  )
  const [id = ""] = readdirSync(`${program.gongHome}/sessions`).filter((name) => !name.startsWith("."))
  const shown = JSON.parse((await program.gong(["sessions", "show", id, "--json"])).out) as {
    entries: { type: string; model?: string; purpose?: string; cost?: number }[]
  }
  assert.deepEqual(
    shown.entries.flatMap(({ type, model, purpose, cost }) => (type === "model_call" ? [[purpose, model, cost]] : [])),
    [
      ["task", "lab/small", 0.0002],
      ["task", "lab/small", 0.0002],
      ["task", "lab/small", 0.0002],
      ["task", "lab/small", 0.0002],
      ["task", "lab/small", 0],
      ["task", "lab/small", 0],
      ["task", "lab/small", 0.0002],
    ],
  )
  const sessions = await program.gong(["sessions", "--json"])
  assert.equal((JSON.parse(sessions.out) as { total: number }).total, 1)
})

test("the limits of a task are at most the remaining limits of its run", async (t) => {
  const calls = [{ name: "task", args: { prompt: "p", description: "p" } }]
  const ls = { calls: [{ name: "ls", args: {} }] }
  const program = await openWithModel(t, {
    turns: [{ calls }, ls, ls, ls, ls, { text: "never" }],
    otherwise: { text: "End." },
  })
  const { status, err } = await program.gong(["-p", "go", "--yolo", "--tools", "+task", "--max-turns", "3"])
  assert.deepEqual(
    [status, err.split("\n")],
    [3, ["custom/mock from GONG_API_KEY · full · sandbox: off", "gong: The limit of this run was reached: turns.", ""]],
  )
  assert.equal(program.server.requests.length, 5)
  program.write({ [`${program.gongHome}/settings.json`]: JSON.stringify({ task: { maxTurns: 1 } }) })
  const second = await openWithModel(t, { turns: [{ calls }, ls, { text: "Over." }] })
  second.write({ [`${second.gongHome}/settings.json`]: JSON.stringify({ task: { maxTurns: 1 } }) })
  await second.gong(["-p", "go", "--yolo", "--tools", "+task"])
  const bodies = second.server.requests.map(({ body }) => body as { messages: readonly { content: string }[] })
  assert.equal(
    (bodies.at(-1)?.messages.at(-1)?.content ?? "").replace(/task [0-9a-f]{8}/, "task ID"),
    "The task was ended by its limit (turns). What it said last:\n\n(It said nothing.)\n\n[task ID: 1 turn, 1 tool call]",
  )
})
