import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { test } from "node:test"
import { openWithModel } from "../program.ts"

test("gong sessions replay with several runs, another model, an interrupted run and an unrecorded run", async (t) => {
  const program = await openWithModel(t, {
    turns: [
      { text: "One." },
      { calls: [{ name: "bash", args: { command: "echo hi" } }] },
      { text: "Two." },
      { text: "Three." },
      { text: "Four." },
      { calls: [{ name: "write", args: { path: "x", content: "x" } }] },
      { text: "Not written." },
    ],
  })
  const settings = `${program.gongHome}/settings.json`
  program.write({ [settings]: '{ "record": "on" }' })
  await program.gong(["-p", "one", "--session-id", "first"])
  await program.gong(["-p", "two", "--session", "first", "--yolo"])
  await program.gong(["-p", "three", "--session", "first", "-m", "other:high"])
  program.write({ [settings]: "{}" })
  await program.gong(["-p", "four", "--session", "first"])
  program.write({ [settings]: '{ "record": "on" }' })
  await program.gong(["-p", "five", "--session", "first", "--permission", "plan", "--max-turns", "5"])
  const { status, out, err } = await program.gong(["sessions", "replay", "first"])
  assert.deepEqual(
    [status, ...program.plain(out).split("\n"), program.plain(err)],
    [0, "replayed 6 requests, 25 steps: the same", "not replayed: 1 run without a recording", "", ""],
  )
  const json = JSON.parse((await program.gong(["sessions", "replay", "first", "--json"])).out) as Record<
    string,
    unknown
  >
  assert.deepEqual(json, {
    session: "first",
    same: true,
    requests: 6,
    entries: 25,
    difference: null,
    notes: ["not replayed: 1 run without a recording"],
  })
  await program.gong(["-p", "none", "--session-id", "second", "--set", "record=off"])
  const none = await program.gong(["sessions", "replay", "second"])
  assert.deepEqual(
    [none.status, program.plain(none.err)],
    [2, 'gong: session s2 was not recorded. To record sessions: gong --set record=on ..., or the setting "record".\n'],
  )
  assert.ok(readdirSync(`${program.gongHome}/sessions`).includes("first"))
})

test("gong sessions show --output events of a named, forked and interrupted session", async (t) => {
  const program = await openWithModel(t, { turns: [{ text: "One." }, { fault: { kind: "status", status: 429 } }] })
  program.write({ [`${program.gongHome}/settings.json`]: '{ "retry": { "baseMs": 60000 } }' })
  await program.gong(["-p", "one", "--session-id", "first", "--name", "called"])
  await program.gong(["-p", "two", "--session", "first"], { interruptAt: "try 2 of" })
  await program.gong(["sessions", "fork", "first"])
  const copy = readdirSync(`${program.gongHome}/sessions`).find((name) => name.includes("-7")) ?? ""
  for (const id of ["first", copy]) {
    const { out } = await program.gong(["sessions", "show", id, "--output", "events"])
    const lines = program.plain(out).trimEnd().split("\n")
    const results = lines.filter((line) => /"type":"(session|result|agent_end|agent_start)"/.test(line))
    assert.equal(lines.length, 15)
    assert.equal(out.includes('"forkOf":"first"'), id !== "first")
    if (id !== "first") continue
    assert.deepEqual(results, [
      '{"type":"session","seq":1,"time":"TIME","protocol":1,"version":"1.2.3","id":"s2","cwd":"$REPO","workspace":"$REPO","tape":"$GONG/sessions/s2","model":"custom/mock","thinking":"off","tools":["read","write","edit","bash","grep","find","ls"],"name":"called"}',
      '{"type":"agent_start","seq":3,"time":"TIME","prompt":"one","source":"user","run":"E2","entry":"E3"}',
      '{"type":"agent_end","seq":8,"time":"TIME","status":"done","run":"E2","entry":"E5"}',
      '{"type":"agent_start","seq":9,"time":"TIME","prompt":"two","source":"user","run":"E6","entry":"E7"}',
      '{"type":"agent_end","seq":14,"time":"TIME","status":"interrupted","run":"E6","entry":"E8"}',
      '{"type":"result","seq":15,"time":"TIME","status":"interrupted","exit":130,"text":"","failure":{"kind":"aborted","message":"Operation aborted","retryable":false,"phrases":{"message":{"id":"Operation aborted","values":[]}}},"session":"s2","turns":0,"toolCalls":0,"usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"reasoning":0},"cost":0,"cacheHitRate":null,"models":{},"files":[],"denials":[],"durationMs":0,"run":"E6"}',
    ])
  }
})

test("an interrupted run is replayed up to its end, also between two others", async (t) => {
  const program = await openWithModel(t, {
    turns: [{ text: "One." }, { fault: { kind: "status", status: 429 } }, { text: "Three." }],
  })
  const settings = '{ "record": "on", "retry": { "baseMs": 60000 } }'
  program.write({ [`${program.gongHome}/settings.json`]: settings })
  await program.gong(["-p", "one", "--session-id", "first"])
  await program.gong(["-p", "two", "--session", "first"], { interruptAt: "try 2 of" })
  await program.gong(["-p", "three", "--session", "first"])
  const { status, out, err } = await program.gong(["sessions", "replay", "first", "--json"])
  const { same, requests, difference, notes } = JSON.parse(out) as Record<string, unknown>
  assert.deepEqual([status, same, requests, difference, notes, err], [0, true, 3, null, [], ""])
})
