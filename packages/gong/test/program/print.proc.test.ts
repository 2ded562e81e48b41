import assert from "node:assert/strict"
import { test } from "node:test"
import { join } from "node:path"
import { textOf } from "@gong/spec"
import type { Turn } from "@gong/testing/model-server"
import { canary, eventsOf, ofType, openStage, resultOf } from "./harness.ts"

const withTools: readonly Turn[] = [
  {
    text: "I will look.",
    calls: [
      { name: "read", args: { path: "test.txt" } },
      { name: "bash", args: { command: "cat test.txt" } },
    ],
  },
  { calls: [{ name: "write", args: { path: "new.txt", content: "one\ntwo\n" } }] },
  { thinking: "so", text: "It says alpha." },
]

test("[AGENT-S.31] [AGENT-1.1] print: only the answer on stdout, everything else on stderr, exit 0", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "Four." }, { text: "Four.\n" }, { text: "Four." }] })
  const run = await stage.gong(["-p", "What is", "2+2?"])
  assert.deepEqual([run.status, run.out], [0, "Four.\n"])
  assert.equal(run.err, "custom/mock from GONG_API_KEY · auto · sandbox: off\n")
  assert.equal(stage.server.requests[0]?.headers["authorization"], `Bearer ${canary}`)
  assert.deepEqual(userTexts(stage.server.requests[0]?.body), ["What is 2+2?"])

  const quiet = await stage.gong(["-pq", "-o", "answer.txt", "again"])
  assert.deepEqual([quiet.status, quiet.out, quiet.err], [0, "Four.\n", ""])
  assert.equal(stage.read("answer.txt"), "Four.\n")

  const json = await stage.gong(["--output", "json", "-q", "-o", "json.txt", "again"])
  assert.equal(json.out.split("\n").length, 2, "one line")
  const result = resultOf(json)
  assert.deepEqual([result.type, result.status, result.exit, result.text], ["result", "done", 0, "Four."])
  assert.deepEqual([result.session.length, result.cost, result.turns], [36, null, 1])
  assert.equal(stage.read("json.txt"), "Four.\n")
})

test("[AGENT-1.2] [AGENT-1.8] [AGENT-S.14] events: session first, result last, every step of a run with tools between", async (t) => {
  const stage = await openStage(t, { turns: withTools })
  stage.write({ "test.txt": "alpha\n" })
  const run = await stage.gong(["--mode", "json", "what does test.txt say?"])
  assert.deepEqual([run.status, run.err], [0, ""])
  const lines = eventsOf(run)
  assert.deepEqual(
    lines.map(({ type }) => type),
    [
      "session model_select agent_start turn_start message_end message_end",
      "tool_execution_start tool_execution_end tool_execution_start tool_execution_end turn_end",
      "turn_start message_end tool_execution_start tool_execution_end turn_end",
      "turn_start message_end turn_end agent_end result",
    ].flatMap((line) => line.split(" ")),
  )
  assert.deepEqual(
    lines.map(({ seq }) => seq),
    lines.map((_, at) => at + 1),
    "numbered without gaps",
  )
  assert.ok(
    lines.every(({ time }) => new Date(time).toISOString() === time),
    "dated in UTC",
  )
  const inside = lines.slice(2)
  assert.ok(
    inside.every(({ run }) => typeof run === "string" && run === lines.at(-1)?.run),
    "every line of the run names it",
  )

  const [session] = ofType(lines, "session")
  assert.deepEqual(
    [session?.protocol, session?.version, session?.cwd, session?.workspace, session?.model, session?.resumed],
    [1, "0.1.0", stage.repo, stage.repo, "custom/mock", false],
  )
  assert.deepEqual(session?.tools, ["read", "write", "edit", "bash", "grep", "find", "ls"])
  assert.equal(session?.tape, join(stage.gongHome, "sessions", session?.id ?? ""))
  const ends = ofType(lines, "tool_execution_end")
  assert.deepEqual(
    ends.map(({ name, status }) => `${name} ${status}`),
    ["read ok", "bash ok", "write ok"],
  )
  assert.match(textOf(ends[0] ?? { content: [] }), /alpha/)
  assert.equal(textOf(ends[1] ?? { content: [] }), "alpha\n")

  const result = resultOf(run)
  assert.deepEqual([result.text, result.turns, result.toolCalls, result.denials], ["It says alpha.", 3, 3, []])
  assert.deepEqual(
    result.files.map(({ change, added, removed }) => [change, added, removed]),
    [["created", 2, 0]],
  )
  assert.deepEqual(result.usage, { input: 360, output: 120, cacheRead: 0, cacheWrite: 0, reasoning: 0 })
  assert.equal(stage.read("new.txt"), "one\ntwo\n")

  const stored = new Map(stage.entries().map((entry) => [entry.id, entry]))
  const named = lines.flatMap((line) => (line.entry === undefined ? [] : [line.entry]))
  assert.ok(named.length > 10 && named.every((id) => stored.has(id)), "an event that is on the tape names its entry")
})

test("[AGENT-S.29] --partial: deltas of the answer and of command output add up to the complete text", async (t) => {
  const stage = await openStage(t, {
    turns: [
      { calls: [{ name: "bash", args: { command: "echo one; echo two" } }] },
      { thinking: "let me think", text: "a longer answer in several pieces" },
    ],
  })
  const run = await stage.gong(["--output", "events", "--partial", "--yolo", "go"])
  const lines = eventsOf(run)
  const updates = ofType(lines, "message_update")
  const joined = (kind: string) =>
    updates
      .filter((one) => one.kind === kind)
      .map(({ delta }) => delta)
      .join("")
  assert.equal(joined("text"), "a longer answer in several pieces")
  assert.ok(updates.filter(({ kind }) => kind === "text").length > 1)
  assert.equal(joined("tool_call"), '{"command":"echo one; echo two"}')
  const output = ofType(lines, "tool_execution_update").map(({ delta }) => delta)
  assert.equal(output.join(""), "one\ntwo\n")
  const starts = ofType(lines, "message_start").map(({ message }) => message.id)
  const ended = ofType(lines, "message_end").filter(({ message }) => message.role === "assistant")
  assert.deepEqual(
    ended.map(({ message }) => message.id),
    starts,
    "a message ends under the id it began with",
  )
  assert.equal(
    stage.entries().some((entry) => /delta/.test(JSON.stringify(entry))),
    false,
    "drafts are not stored",
  )
})

test("no event line exceeds 1 MB, in any script; the tape has the complete text", async (t) => {
  const text = "字".repeat(400_000)
  const stage = await openStage(t, { turns: [{ text, delta: 10_000 }] })
  const run = await stage.gong(["--output", "events", "go"])
  assert.ok(run.out.split("\n").every((line) => Buffer.byteLength(line) <= 1_000_000))
  assert.match(resultOf(run).text, /^字{100000}\.\.\. \[cut: 400000 characters\]$/)
  const reply = stage.entries().find((entry) => entry.type === "message" && entry.message.role === "assistant")
  assert.ok(reply?.type === "message" && textOf(reply.message) === text)
})

test("sources of the prompt: stdin, stdin as a block, -, @file, -- before words that look like options", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  stage.write({ "notes.md": "buy milk\n" })
  const asked = async (args: readonly string[], stdin?: string) => {
    const run = await stage.gong(["-pq", "--no-session", ...args], stdin === undefined ? {} : { stdin })
    assert.deepEqual([run.status, run.err, run.out], [0, "", "ok\n"])
    return userTexts(stage.server.requests.at(-1)?.body)[0]
  }
  assert.equal(await asked([], "from stdin\n"), "from stdin")
  assert.equal(await asked(["-"], "dash\n"), "dash")
  assert.equal(await asked(["sum", "it"], "1\n2\n"), "sum it\n\n<stdin>\n1\n2\n</stdin>")
  assert.equal(await asked(["see", "@notes.md"]), 'see @notes.md\n\n<file path="notes.md">\nbuy milk\n</file>')
  assert.equal(await asked(["--", "--yolo"]), "--yolo")
})

test("no prompt: one line, exit 2, nothing on stdout and nothing sent", async (t) => {
  const stage = await openStage(t)
  for (const given of [{}, { stdin: "" }, { stdin: " \n" }]) {
    const run = await stage.gong(["-p"], given)
    assert.deepEqual(
      [run.status, run.out, run.err],
      [2, "", 'gong: no prompt. Try: gong -p "what does this repository do?"\n'],
    )
  }
  assert.deepEqual([stage.server.requests.length, stage.sessions()], [0, []])
})

function userTexts(body: unknown): readonly string[] {
  const { messages } = body as { messages: { role: string; content: string | { text?: string }[] }[] }
  return messages
    .filter(({ role }) => role === "user")
    .map(({ content }) => (typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("")))
}
