import assert from "node:assert/strict"
import { test } from "node:test"
import { openWithModel, type Program } from "../program.ts"

/** Each command with the answer to it; what an event says is left out. */
async function answers(
  program: Program,
  commands: readonly object[],
  ...args: readonly string[]
): Promise<readonly unknown[]> {
  const sends = commands.map((command, at) => {
    const isPrompt = "type" in command && command.type === "prompt" && "text" in command
    return [JSON.stringify({ id: `c${at}`, ...command }), isPrompt ? '"type":"result"' : `"id":"c${at}"`] as const
  })
  const { out } = await program.gong(["rpc", ...args], { sends: [["", '"type":"session"'], ...sends] })
  const lines = program
    .plain(out)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  return lines
    .filter(({ type }) => type === "response")
    .map(({ command, success, data, error }) => [command, success === true ? data : error])
}

const place = (t: Parameters<typeof openWithModel>[0]) =>
  openWithModel(t, {
    turns: [
      { text: "One." },
      { calls: [{ name: "write", args: { path: "a.txt", content: "a\n" } }] },
      { text: "Two." },
    ],
    otherwise: { text: "Fine." },
  })

test("gong rpc answers what the session is, what it holds and what it has cost", async (t) => {
  const program = await place(t)
  const found = await answers(
    program,
    [
      { type: "hello", protocol: 1, partial: false },
      { type: "hello", protocol: 2 },
      { type: "get_state" },
      { type: "prompt", text: "one" },
      { type: "prompt", text: "two" },
      { type: "get_messages", limit: 2 },
      { type: "get_stats" },
      { type: "set_name", name: "n" },
      { type: "get_tree" },
      { type: "undo" },
      { type: "undo" },
      { type: "redo" },
      { type: "redo" },
      { type: "bash", command: "echo hi" },
      { type: "list_sessions" },
      { type: "list_sessions", all: true, limit: 1 },
      { type: "search", query: "Two" },
      { type: "search", query: "..." },
      { type: "shutdown" },
    ],
    "--yolo",
  )
  assert.deepEqual(found, [
    ["hello", { protocol: 1, version: "1.2.3" }],
    ["hello", { code: "protocol", message: "Protocol 2 is not spoken here.", hint: "gong 1.2.3 speaks protocol 1" }],
  ])
})
