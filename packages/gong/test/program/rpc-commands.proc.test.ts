import assert from "node:assert/strict"
import { test } from "node:test"
import type { Turn } from "@gong/testing/model-server"
import { openStage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"
import { tether } from "./tether.ts"

const bash = (command: string): Turn => ({ calls: [{ name: "bash", args: { command } }] })

test("invalid commands are refused with a code, and do not end the process", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "still here" }] })
  const client = startRpc(t, stage)
  const lines: readonly (readonly [line: string | Uint8Array, code: string])[] = [
    ["not json at all\n", "bad_json"],
    ["[1, 2]\n", "bad_json"],
    [new Uint8Array([0x7b, 0xff, 0xfe, 0x7d, 0x0a]), "bad_json"],
    ['{"id": {}, "type": "abort"}\n', "bad_arguments"],
    ['{"text": "no type"}\n', "bad_arguments"],
    ['{"type": "constructor"}\n', "unknown_command"],
    ['{"type": "prompt", "txt": "hi"}\n', "bad_arguments"],
    ['{"type": "set_thinking_level", "level": "hard"}\n', "bad_arguments"],
    [`{"type": "prompt", "text": "${"x".repeat(33 * 1024 * 1024)}"}\n`, "too_large"],
  ]
  for (const [line, code] of lines) {
    client.write(line)
    assert.equal((await client.unnamed()).error?.code, code, String(line).slice(0, 40))
  }
  client.write("\n  \n\r\n")
  await client.request("prompt", { text: "hi" })
  assert.equal((await client.event("result")).text, "still here")
  assert.equal(stage.entries().filter(({ type }) => type === "input").length, 1, "nothing else reached the session")
})

test("a session that cannot be opened is a usage error on stderr: exit 2, nothing on stdout", async (t) => {
  const stage = await openStage(t)
  const client = startRpc(t, stage, ["--session", "none"])
  const { status, out, err } = await client.ended
  assert.deepEqual([status, out, err.startsWith('gong: there is no session "none".')], [2, "", true])
})

test("[AGENT-S.21] model, thinking level and tools change between runs, in the same process", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "one" }, { text: "two" }] })
  const client = startRpc(t, stage)
  await client.request("prompt", { text: "first" })
  await client.event("result")
  assert.equal((await client.request("set_model", { model: "other:high" })).thinking, "high")
  assert.equal((await client.request("set_thinking_level", { level: "low" })).model, "custom/other")
  assert.deepEqual(await client.request("set_tools", { tools: ["readonly", "+bash"] }), {
    tools: ["read", "bash", "grep", "find", "ls"],
  })
  assert.match((await client.refused("set_tools", { tools: ["hammer"] })).message, /no tool "hammer"/)
  assert.equal((await client.refused("set_model", { model: "no such" })).code, "bad_arguments")
  const selected = (await client.event("model_select"), await client.event("model_select"))
  assert.deepEqual([selected.model, selected.reason], ["custom/other", "user"])
  await client.request("prompt", { text: "second" })
  await client.event("result")
  const [before, after] = stage.server.requests.map(({ body }) => body as { model: string; tools: readonly unknown[] })
  assert.deepEqual([before?.model, before?.tools.length, after?.model, after?.tools.length], ["mock", 7, "other", 5])
  const state = await client.request("get_state")
  assert.deepEqual([state.model, state.thinking, state.messages], ["custom/other", "low", 4])
  const { models } = await client.request("get_available_models")
  assert.deepEqual(
    models.map(({ model, current }) => [model, current]),
    [["custom/other", true]],
  )
  client.close()
  await client.ended
  const next = startRpc(t, stage, ["-c"], { GONG_MODEL: undefined, GONG_BASE_URL: stage.env["GONG_BASE_URL"] })
  assert.equal((await next.ended).status, 2, "a base URL wants a model")
  const types = stage.entries().map(({ type }) => type)
  assert.equal(types.filter((type) => type === "model_change").length, 2)
})

test("a user command: its output while it runs, its result, and the model gets it with the next prompt", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "I see." }] })
  const client = startRpc(t, stage)
  const ran = await client.request("bash", { command: "echo to be seen; exit 3" })
  assert.deepEqual([ran.status, ran.exitCode, ran.output.startsWith("to be seen")], ["error", 3, true])
  const update = await client.event("tool_execution_update")
  assert.deepEqual([update.toolCallId, update.delta], [ran.toolCallId, "to be seen\n"])
  const running = client.request("bash", { command: "sleep 1000" })
  assert.equal((await client.refused("prompt", { text: "now" })).code, "busy")
  assert.equal((await client.request("get_state")).working, "bash")
  await client.request("abort")
  assert.equal((await running).status, "aborted")
  await client.request("prompt", { text: "look" })
  await client.event("result")
  assert.match(JSON.stringify(stage.server.requests[0]?.body), /The user ran a command:\\n\$ echo to be seen/)
})

test("sessions: name, labels, paging, navigation, fork, switch and search", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "An answer about zebras." } })
  const client = startRpc(t, stage)
  const { id: first } = await client.event("session")
  await client.request("set_name", { name: "the first" })
  for (const text of ["one", "two"]) {
    await client.request("prompt", { text })
    await client.event("result")
  }
  const page = await client.request("get_messages", { limit: 3 })
  assert.deepEqual([page.messages.length, page.more], [3, true])
  const answer = page.messages[1]?.entry ?? ""
  const rest = await client.request("get_messages", { after: page.messages[2]?.entry ?? "" })
  assert.deepEqual([rest.messages.length, rest.more], [1, false])
  assert.equal((await client.refused("get_messages", { after: "nowhere" })).code, "not_found")
  await client.request("label", { entry: answer, label: "good" })
  const { leaf } = await client.request("navigate", { entry: answer })
  assert.notEqual(leaf, answer)
  assert.equal((await client.request("get_state")).messages, 2)
  assert.equal((await client.refused("navigate", { entry: "nowhere" })).code, "not_found")
  const { tree } = await client.request("get_tree")
  assert.deepEqual([tree?.next.length, tree?.steps.some(({ label }) => label === "good")], [2, true])
  const over = await client.request("navigate", {
    entry: page.messages[2]?.entry ?? "",
    summarize: true,
    focus: "zebras",
  })
  assert.deepEqual([over.status, over.summary], ["nothing", ""], "no reply is left behind")
  const back = await client.request("navigate", { entry: answer, summary: "what was tried" })
  assert.equal((await client.request("get_state")).leaf, back.leaf)
  const twice = { entry: answer, summary: "mine", summarize: true }
  assert.equal((await client.refused("navigate", twice)).code, "bad_arguments")
  const copy = await client.request("fork", { entry: answer })
  const forked = (await client.event("session")) as { id: string; forkOf?: string }
  assert.deepEqual([forked.id, forked.forkOf], [copy.session, first])
  assert.equal((await client.request("get_state")).messages, 2)
  const fresh = await client.request("new_session", { name: "empty" })
  assert.deepEqual([fresh.resumed, (await client.request("get_state")).name], [false, "empty"])
  assert.equal((await client.refused("switch_session", { session: fresh.session })).code, "bad_arguments")
  assert.equal((await client.refused("switch_session", { session: "nobody's" })).code, "not_found")
  await client.request("switch_session", { session: first })
  assert.equal((await client.request("get_state")).name, "the first")
  const { sessions } = await client.request("list_sessions", {})
  assert.deepEqual(sessions.length, 3)
  const { hits } = await client.request("search", { query: "zebras" })
  assert.ok(hits.length > 0 && hits.every(({ text }) => text.includes("zebras")))
  const stats = await client.request("get_stats")
  assert.deepEqual([stats.calls, stats.models["custom/any"] ?? stats.models["custom/mock"]].map(Boolean), [true, true])
  const exported = await client.request("export", { file: "session.md" })
  assert.equal(exported.format, "markdown")
  assert.match(stage.read("session.md"), /An answer about zebras/)
  client.close()
  assert.deepEqual([(await client.ended).status, stage.sessions().length], [0, 3])
})

test("undo restores files, redo repeats the changes, and mentions attach files if enabled", async (t) => {
  const write: Turn = { calls: [{ name: "write", args: { path: "made.txt", content: "made" } }] }
  const stage = await openStage(t, { turns: [write, { text: "done" }, { text: "read it" }, { text: "not read" }] })
  stage.write({ "notes.txt": "remember the milk" })
  const client = startRpc(t, stage, ["--yolo"])
  await client.request("prompt", { text: "make it" })
  await client.event("result")
  const undone = await client.request("undo")
  assert.deepEqual(
    undone.restored.map((path) => path.endsWith("made.txt")),
    [true],
  )
  assert.throws(() => stage.read("made.txt"))
  assert.deepEqual((await client.request("redo")).restored, undone.restored)
  assert.equal(stage.read("made.txt"), "made")
  await client.request("prompt", { text: "look at @notes.txt", mentions: true })
  await client.event("result")
  const printed = (at: number) => JSON.stringify(stage.server.requests.at(at)?.body)
  assert.match(printed(-1), /remember the milk/)
  const image = await client.refused("prompt", { text: "see", images: [{ mimeType: "image/png", data: "AAAA" }] })
  assert.match(image.message, /image 1 \(image\/png\) is no image/)
})

test("a changed permission level answers pending questions", async (t) => {
  const stage = await openStage(t, { turns: [bash("touch made.txt"), { text: "made" }] })
  const client = startRpc(t, stage, ["--permission", "ask"])
  await client.request("prompt", { text: "make it" })
  await client.event("permission_request")
  assert.deepEqual(await client.request("set_permission", { level: "full" }), { level: "full" })
  const { choice, by } = await client.event("permission_end")
  assert.deepEqual([choice, by], ["once", "mode"])
  assert.equal((await client.event("result")).text, "made")
  assert.deepEqual([stage.read("made.txt"), (await client.request("get_state")).permission], ["", "full"])
})

test("[AGENT-4.4] a prompt during a compaction is queued and answered afterwards", async (t) => {
  const stage = await openStage(t)
  stage.server.begin([...long(6), { text: `## Goal\n${"sum ".repeat(80)}`, delayMs: 30 }, { text: "after" }])
  const client = startRpc(t, stage, ["--set", "compaction.keepRecentTokens=200"])
  for (let turn = 0; turn < 6; turn++) {
    await client.request("prompt", { text: `question ${turn} ${"words ".repeat(300)}` })
    await client.event("result")
  }
  const compacting = client.request("compact", { focus: "the words" })
  await client.event("compaction_start")
  assert.equal((await client.request("get_state")).working, "compaction")
  const { run, disposition } = await client.request("prompt", { text: "and now?" })
  assert.equal(disposition, "queued")
  const { status, tokensBefore, tokensAfter = 0 } = await compacting
  assert.equal(status, "done")
  assert.ok(tokensAfter < tokensBefore)
  assert.equal((await client.event("result")).run, run)
})

function long(count: number): readonly Turn[] {
  return Array.from({ length: count }, (_, at) => ({ text: `answer ${at} ${"more ".repeat(300)}` }))
}

test("automatic retries can be turned off and on again", async (t) => {
  const broken: Turn = { fault: { kind: "status", status: 500, message: "oh" } }
  const stage = await openStage(t, { turns: [broken, broken, { text: "well" }] })
  const client = startRpc(t, stage, ["--set", "retry.baseMs=1"])
  assert.deepEqual(await client.request("set_auto_retry", { enabled: false }), { enabled: false })
  await client.request("prompt", { text: "go" })
  assert.equal((await client.event("result")).failure?.kind, "overloaded")
  assert.equal(stage.server.requests.length, 1)
  await client.request("set_auto_retry", { enabled: true })
  await client.request("prompt", { text: "again" })
  assert.equal((await client.event("retry_start")).attempt, 1)
  const { autoRetry, autoCompaction } = await client.request("get_state")
  assert.deepEqual([autoRetry, autoCompaction], [true, true])
  await client.request("set_auto_compaction", { enabled: false })
  assert.equal((await client.request("get_state")).autoCompaction, false)
})

test("[AGENT-S.35] a client that pauses reading gets every event later, and the run continues", async (t) => {
  const held = await tether(t)
  const page = (at: number) => ({ name: "bash", args: { command: `head -c 48000 /dev/zero | tr '\\0' x; : ${at}` } })
  const pages = (round: number): Turn => ({ calls: Array.from({ length: 40 }, (_, at) => page(round * 40 + at)) })
  const rounds = Array.from({ length: 3 }, (_, round) => pages(round))
  const stage = await openStage(t, { turns: [...rounds, bash(held.command)] })
  const client = startRpc(t, stage, ["--yolo", "--set", "compaction.auto=false"])
  await client.event("session")
  client.child.stdout?.pause()
  client.write('{"type":"prompt","text":"go"}\n')
  await held.held
  client.child.stdout?.resume()
  const calls = (): number => client.lines.filter(({ type }) => type === "tool_execution_end").length
  while (calls() < 120) await client.event("tool_execution_end")
  await client.request("abort")
  const result = await client.event("result")
  assert.deepEqual([result.status, result.toolCalls], ["interrupted", 121])
})

test("a client that reconnects gets the events after its last known entry", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "one" }, { text: "two" }] })
  const first = startRpc(t, stage)
  await first.request("prompt", { text: "first" })
  await first.event("result")
  const known = first.lines.flatMap((line) => ("entry" in line && line.entry !== undefined ? [line.entry] : [])).at(-1)
  await first.request("prompt", { text: "second" })
  await first.event("result")
  const missed = first.lines.slice(first.lines.findLastIndex((line) => "entry" in line && line.entry === known) + 1)
  first.close()
  await first.ended

  const again = startRpc(t, stage, ["-c"])
  assert.equal((await again.refused("hello", { protocol: 1, after: "nowhere" })).code, "not_found")
  await again.request("hello", { protocol: 1, partial: false, after: known ?? "" })
  await again.request("get_stats")
  const steady = (lines: typeof first.lines) =>
    lines.flatMap((line) => ("entry" in line && line.entry !== undefined ? [{ ...line, seq: 0, time: "" }] : []))
  assert.deepEqual(steady(again.lines), steady(missed))
  assert.ok(steady(missed).length > 4)
  again.close()
  await again.ended
})
