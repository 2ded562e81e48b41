import assert from "node:assert/strict"
import { test } from "node:test"
import { openWithModel } from "../program.ts"

test("gong rpc labels steps, navigates to one with a summary, and forks at one", async (t) => {
  const program = await openWithModel(t, { otherwise: { text: "Fine." } })
  await program.gong(["-p", "one", "--session-id", "first"])
  await program.gong(["-p", "two", "--session", "first"])
  const shown = JSON.parse((await program.gong(["sessions", "show", "first", "--json"])).out) as {
    entries: { id: string; type: string; message?: { role: string } }[]
  }
  const { id = "" } =
    shown.entries.find(({ type, message }) => type === "message" && message?.role === "assistant") ?? {}
  const last = shown.entries.at(-1)?.id ?? ""
  const commands = [
    { type: "label", entry: id, label: "here" },
    { type: "get_tree" },
    { type: "label", entry: id, label: null },
    { type: "navigate", entry: id, summary: "x", summarize: true },
    { type: "navigate", entry: id, summary: "Two was said." },
    { type: "get_messages" },
    { type: "navigate", entry: last },
    { type: "navigate", entry: id, summarize: true, focus: " files " },
    { type: "get_messages", after: "nope" },
    { type: "get_messages", limit: 1 },
    { type: "get_entries", limit: 1 },
    { type: "get_entries", after: id, limit: 2 },
    { type: "get_entries", after: "nope" },
    { type: "fork", entry: id },
    { type: "get_messages" },
    { type: "switch_session", session: "first" },
  ]
  const sends = commands.map((command, at) => [JSON.stringify({ id: `c${at}`, ...command }), `"id":"c${at}"`] as const)
  const { status, out } = await program.gong(["rpc", "--session", "first"], {
    sends: [["", '"type":"session"'], ...sends],
  })
  const lines = program
    .plain(out)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const answers = lines
    .filter(({ type }) => type === "response")
    .map(({ command, data, error }) => JSON.stringify([command, data ?? error]))
  assert.deepEqual(
    [status, answers],
    [
      0,
      [
        '["label",{}]',
        '["get_tree",{"tree":{"steps":[{"id":"E1","parentId":null,"type":"anchor","label":null,"active":true},{"id":"E2","parentId":"E1","type":"prompt","label":null,"active":true},{"id":"E3","parentId":"E2","type":"model_change","label":null,"active":true},{"id":"E4","parentId":"E3","type":"thinking_level_change","label":null,"active":true},{"id":"E5","parentId":"E4","type":"input","label":null,"active":true},{"id":"E6","parentId":"E5","type":"message","role":"user","label":null,"active":true},{"id":"E7","parentId":"E6","type":"message","role":"assistant","label":"here","active":true},{"id":"E8","parentId":"E7","type":"run_end","label":null,"active":true},{"id":"E9","parentId":"E8","type":"input","label":null,"active":true},{"id":"E10","parentId":"E9","type":"message","role":"user","label":null,"active":true},{"id":"E11","parentId":"E10","type":"message","role":"assistant","label":null,"active":true},{"id":"E12","parentId":"E11","type":"run_end","label":null,"active":true},{"id":"E13","parentId":"E12","type":"label","label":null,"active":true}],"next":[]}}]',
        '["label",{}]',
        '["navigate",{"code":"bad_arguments","message":"Use either summary or summarize."}]',
        '["navigate",{"leaf":"E14"}]',
        '["get_messages",{"messages":[{"entry":"E6","message":{"role":"user","content":[{"type":"text","text":"one"}]}},{"entry":"E7","message":{"role":"assistant","content":[{"type":"text","text":"Fine."}],"model":{"provider":"custom","id":"mock","api":"openai-completions"},"stopReason":"stop","usage":{"input":120,"output":40,"cacheRead":0,"cacheWrite":0,"reasoning":0},"cost":null,"durationMs":0,"s2TokenMs":0}},{"entry":"E14","message":{"role":"user","content":[{"type":"text","text":"This is a summary of another branch of this conversation, which was left:\\n\\n<summary>\\nTwo was said.\\n</summary>"}]}}],"more":false}]',
        '["navigate",{"leaf":"E15"}]',
        '["navigate",{"leaf":"E16","status":"done","summary":"Fine."}]',
        '["get_messages",{"code":"not_found","message":"There is no step nope here."}]',
        '["get_messages",{"messages":[{"entry":"E6","message":{"role":"user","content":[{"type":"text","text":"one"}]}}],"more":true}]',
        '["get_entries",{"entries":[{"id":"E1","parentId":null,"type":"anchor","timestamp":"TIME","name":"session-start","seq":1}],"more":true}]',
        '["get_entries",{"entries":[{"id":"E16","parentId":"E7","type":"branch_summary","timestamp":"TIME","fromId":"E17","summary":"Fine."}],"more":false}]',
        '["get_entries",{"code":"not_found","message":"There is no step nope here."}]',
        '["fork",{"session":"S1","resumed":true}]',
        '["get_messages",{"messages":[{"entry":"E6","message":{"role":"user","content":[{"type":"text","text":"one"}]}},{"entry":"E7","message":{"role":"assistant","content":[{"type":"text","text":"Fine."}],"model":{"provider":"custom","id":"mock","api":"openai-completions"},"stopReason":"stop","usage":{"input":120,"output":40,"cacheRead":0,"cacheWrite":0,"reasoning":0},"cost":null,"durationMs":0,"s2TokenMs":0}}],"more":false}]',
        '["switch_session",{"session":"s2","resumed":true}]',
      ],
    ],
  )
})
