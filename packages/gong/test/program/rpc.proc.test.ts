import assert from "node:assert/strict"
import { once } from "node:events"
import { test } from "node:test"
import type { Turn } from "@gong/testing/model-server"
import { canary, openStage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"
import { tether } from "./tether.ts"

const bash = (command: string): Turn => ({ calls: [{ name: "bash", args: { command } }] })
/** A reply that has begun and does not go on. */
const slow: Turn = {
  text: "a long answer that comes in pieces and never ends",
  fault: { kind: "stall", after: { chunks: 3 } },
}

test("[AGENT-S.32] rpc: a session over stdin and stdout: hello, prompt, deltas, result, end of input", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "Hello from the model." }, { text: "And again." }] })
  const client = startRpc(t, stage)
  const session = await client.event("session")
  assert.deepEqual([session.seq, session.protocol, session.resumed], [1, 1, false])
  const hello = await client.request("hello", { protocol: 1, client: { name: "test", version: "1" } })
  assert.deepEqual(hello, { protocol: 1, version: session.version })
  const first = await client.request("prompt", { text: "hi" })
  assert.deepEqual(first, { run: first.run, disposition: "started" })
  const result = await client.event("result")
  assert.deepEqual([result.run, result.status, result.text], [first.run, "done", "Hello from the model."])
  const types = client.lines.map(({ type }) => type)
  assert.ok(
    types.indexOf("response", 2) < types.indexOf("agent_start"),
    "the prompt is answered before its run is told of",
  )
  assert.ok(types.includes("message_update"), "deltas come without being asked for")
  const second = await client.request("prompt", { text: "again" })
  assert.equal((await client.event("result")).run, second.run)
  const { entries } = await client.request("get_entries")
  assert.deepEqual(
    entries.flatMap(({ type, id }) => (type === "input" ? [id] : [])),
    [first.run, second.run],
    "a run is named by the input that began it",
  )
  client.close()
  const run = await client.ended
  assert.deepEqual([run.status, run.err], [0, ""])
  assert.deepEqual(
    client.lines.map(({ seq }) => seq),
    client.lines.map((_, at) => at + 1),
  )
  assert.equal(run.out.includes(canary), false)
})

test("an unsupported protocol is refused with a code, and the process exits with 2", async (t) => {
  const client = startRpc(t, await openStage(t))
  assert.equal((await client.refused("hello", { protocol: 2 })).code, "protocol")
  assert.equal((await client.ended).status, 2)
})

test("partial: false disables deltas", async (t) => {
  const client = startRpc(t, await openStage(t, { turns: [{ text: "whole" }] }))
  await client.request("hello", { protocol: 1, partial: false })
  await client.request("prompt", { text: "go" })
  assert.equal((await client.event("result")).text, "whole")
  assert.equal(
    client.lines.some(({ type }) => type === "message_update" || type === "message_start"),
    false,
  )
})

test("[AGENT-1.4] [AGENT-S.34] a steer during a long command aborts it, and the model gets the message next", async (t) => {
  const held = await tether(t)
  const stage = await openStage(t, { turns: [bash(held.command), { text: "Stopped for you." }] })
  const client = startRpc(t, stage, ["--yolo"])
  await client.request("prompt", { text: "run the tests" })
  await held.held
  const { id } = await client.request("steer", { text: "leave that" })
  assert.equal((await client.event("queue_update")).steer[0]?.id, id)
  await held.released
  assert.equal((await client.event("tool_execution_end")).status, "aborted")
  assert.equal((await client.event("result")).text, "Stopped for you.")
  assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /leave that/)
})

test("a steer with after-tool lets the running command finish, and queued messages can be removed", async (t) => {
  const command = "until [ -e done ]; do sleep 0.02; done; echo finished"
  const stage = await openStage(t, { turns: [bash(command), { text: "Then this." }] })
  const client = startRpc(t, stage, ["--yolo"])
  await client.request("prompt", { text: "run the tests" })
  await client.event("tool_execution_start")
  await client.request("steer", { text: "also the docs", when: "after-tool" })
  const { id } = await client.request("follow_up", { text: "never mind" })
  const { followUp, steer } = await client.request("get_state")
  assert.deepEqual([steer.length, followUp], [1, [{ id, text: "never mind" }]])
  assert.deepEqual(await client.request("remove_queued", { target: id }), { removed: [{ id, text: "never mind" }] })
  assert.equal((await client.refused("remove_queued", { target: id })).code, "not_found")
  stage.write({ done: "" })
  const end = await client.event("tool_execution_end")
  assert.deepEqual([end.status, JSON.stringify(end.content).includes("finished")], ["ok", true])
  assert.equal((await client.event("result")).text, "Then this.")
  const sent = JSON.stringify(stage.server.requests.at(-1)?.body)
  assert.deepEqual([sent.includes("also the docs"), sent.includes("never mind")], [true, false])
})

test("the client answers questions: once, no with a reason, and an unknown question", async (t) => {
  const stage = await openStage(t, {
    turns: [bash("touch yes.txt"), bash("touch no.txt"), { text: "One of two." }],
  })
  const client = startRpc(t, stage, ["--permission", "ask"])
  await client.request("prompt", { text: "make both" })
  const first = await client.event("permission_request")
  assert.deepEqual([first.tool, first.args], ["bash", { command: "touch yes.txt" }])
  assert.deepEqual(
    (await client.request("get_state")).questions.map(({ id }) => id),
    [first.id],
  )
  assert.equal((await client.refused("permission_reply", { target: "p9", choice: "once" })).code, "not_found")
  client.write(`${JSON.stringify({ type: "permission_reply", id: first.id, choice: "once" })}\n`)
  assert.equal((await client.event("permission_end")).choice, "once")
  const second = await client.event("permission_request")
  await client.request("permission_reply", { target: second.id, choice: "no", message: "one is enough" })
  const result = await client.event("result")
  assert.deepEqual([result.text, result.denials.length], ["One of two.", 1])
  assert.equal(stage.read("yes.txt"), "")
  assert.throws(() => stage.read("no.txt"))
  assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /one is enough/)
})

test("during a run a second prompt is refused as busy; abort ends the run, and the session continues", async (t) => {
  const stage = await openStage(t, { turns: [slow, { text: "well" }] })
  const client = startRpc(t, stage)
  assert.deepEqual(await client.request("abort"), { stopped: false })
  const begun = await client.request("prompt", { text: "go" })
  await client.event("message_update")
  const busy = await client.refused("prompt", { text: "more" })
  assert.deepEqual([busy.code, busy.hint?.startsWith("use steer or follow_up")], ["busy", true])
  for (const command of ["new_session", "compact", "undo", "cycle_model"])
    assert.equal((await client.refused(command)).code, "busy", command)
  assert.deepEqual(await client.request("abort"), { stopped: true })
  const { status, run, text } = await client.event("result")
  assert.deepEqual([status, run, text.startsWith("a long")], ["interrupted", begun.run, true])
  await client.request("prompt", { text: "go on" })
  assert.equal((await client.event("result")).text, "well")
})

test("after a SIGKILL during a run a new process continues the session and returns the entries after the last known one", async (t) => {
  const held = await tether(t)
  const stage = await openStage(t, { turns: [bash(held.command), { text: "Here I am again." }] })
  const client = startRpc(t, stage, ["--yolo"])
  await client.request("prompt", { text: "work" })
  const { entry } = await client.event("agent_start")
  await held.held
  client.child.kill("SIGKILL")
  await held.released
  assert.equal((await client.ended).signal, "SIGKILL")
  const next = startRpc(t, stage, ["-c", "--yolo"])
  assert.equal((await next.event("session")).resumed, true)
  const { entries, more } = await next.request("get_entries", { after: entry ?? "" })
  assert.deepEqual([more, entries.map(({ type }) => type)], [false, ["message", "tool_start", "message"]])
  await next.request("prompt", { text: "go on" })
  assert.equal((await next.event("result")).text, "Here I am again.")
  assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /it may have taken effect/)
})

test("the client closes stdin: the run ends normally, later questions are answered with no, exit 0", async (t) => {
  const stage = await openStage(t, { turns: [bash("touch never.txt"), { text: "Done without it." }] })
  const client = startRpc(t, stage, ["--permission", "ask"])
  client.write('{"type":"prompt","text":"go"}\n')
  client.close()
  const run = await client.ended
  assert.deepEqual([run.status, run.err], [0, ""])
  const result = await client.event("result")
  assert.deepEqual([result.status, result.text, result.denials.length], ["done", "Done without it.", 1])
  assert.throws(() => stage.read("never.txt"))
})

test("shutdown aborts the run, writes its result and exits with 0", async (t) => {
  const client = startRpc(t, await openStage(t, { turns: [slow] }))
  await client.request("prompt", { text: "go" })
  await client.event("message_update")
  assert.deepEqual(await client.request("shutdown"), {})
  const run = await client.ended
  assert.deepEqual([run.status, (await client.event("result")).status], [0, "interrupted"])
})

for (const [signal, status] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  test(`${signal} during a command: its processes end, the result is written, exit ${status}`, async (t) => {
    const held = await tether(t)
    const client = startRpc(t, await openStage(t, { turns: [bash(held.command)] }), ["--yolo"])
    await client.request("prompt", { text: "go" })
    await held.held
    client.child.kill(signal as NodeJS.Signals)
    const run = await client.ended
    await held.released
    const result = await client.event("result")
    assert.deepEqual([run.status, result.status, result.exit], [status, "interrupted", status])
  })
}

test("SIGTERM while idle: exit 143; a closed stdout: exit 141", async (t) => {
  const stage = await openStage(t, { turns: [slow] })
  const idle = startRpc(t, stage)
  await idle.event("session")
  idle.child.kill("SIGTERM")
  assert.equal((await idle.ended).status, 143)
  const left = startRpc(t, stage)
  await left.request("prompt", { text: "go" })
  left.child.stdout?.destroy()
  left.write('{"type":"get_state"}\n{"type":"get_state"}\n')
  const [status] = (await once(left.child, "exit")) as [number]
  assert.equal(status, 141)
})

test("a second signal does not wait for a client that has stopped reading", async (t) => {
  const held = await tether(t)
  const page = (at: number) => ({
    name: "bash",
    args: { command: `head -c 48000 /dev/zero | tr '\\0' x; : ${at}` },
  })
  const pages: Turn = { calls: Array.from({ length: 12 }, (_, at) => page(at)) }
  const client = startRpc(t, await openStage(t, { turns: [pages, bash(held.command)] }), ["--yolo"])
  await client.event("session")
  client.child.stdout?.pause()
  client.write('{"type":"prompt","text":"go"}\n')
  await held.held
  client.child.kill("SIGTERM")
  await held.released
  // Right after the first it would be taken for the same one.
  const again = setInterval(() => client.child.kill("SIGTERM"), 50)
  t.after(() => clearInterval(again))
  const [status] = (await once(client.child, "exit")) as [number]
  assert.equal(status, 143)
})
