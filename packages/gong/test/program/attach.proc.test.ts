import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import type { NewEntry, ToolCall } from "@gong/spec"
import { type AppendEntry, createTape, type Tape } from "@gong/tape"
import { nodeDisk, nodeMachine, openStore } from "@gong/tape/file"
import { systemClock, systemIds } from "@gong/app/ports"
import { eventsOf, type Line, type Live, ofType, openStage, type Run, type Stage } from "./harness.ts"

const wait = "until [ -e go ]; do sleep 0.05; done; echo went"

/** Values that an observer cannot know: its own numbers and times, and state of the process. */
function comparable(lines: readonly Line[]): readonly unknown[] {
  // A notification is not on the tape, and a busy machine brings some.
  const kept = lines.filter(({ type }) => type !== "notice")
  return kept.map((line) => {
    const { seq: _seq, time: _time, ...rest } = line
    if (rest.type === "session") {
      const { permission: _p, sandbox: _s, trusted: _t, resumed: _r, ...known } = rest
      return known
    }
    return rest.type === "result" ? { ...rest, durationMs: 0 } : rest
  })
}

/** The session as another program that writes to it: this one. */
function hold(stage: Stage): Tape {
  const ports = { disk: nodeDisk(), clock: systemClock, ids: systemIds(systemClock), machine: nodeMachine() }
  const path = join(stage.gongHome, "sessions", stage.sessions()[0] ?? "")
  const store = openStore(ports, { path })
  assert.equal(store.readOnly, null)
  return createTape(store, ports)
}

/** Resolves when the program has printed this on stdout. */
function printed({ child }: Live, text: string): Promise<void> {
  let seen = ""
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (piece: string) => {
      seen += piece
      if (seen.includes(text)) resolve()
    })
    child.once("exit", () => reject(new Error(`it ended without ${text}: ${seen}`)))
  })
}

const asked = (text: string): AppendEntry => ({ type: "input", kind: "prompt", text, source: "user" })

const user = (text: string, inputId: string): NewEntry & { type: "message" } => ({
  type: "message",
  inputId,
  message: { role: "user", content: [{ type: "text", text }] },
})

const made = (toolCallId: string): NewEntry & { type: "message" } => ({
  type: "message",
  message: {
    role: "tool",
    toolCallId,
    toolName: "bash",
    content: [{ type: "text", text: "made" }],
    details: null,
    isError: false,
    status: "ok",
    durationMs: 2000,
  },
})

const reply = (text: string, calls: readonly ToolCall[] = []): NewEntry & { type: "message" } => ({
  type: "message",
  message: {
    role: "assistant",
    content: [{ type: "text", text }, ...calls],
    model: { provider: "custom", id: "mock", api: "openai-completions" },
    stopReason: "stop",
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    cost: null,
  },
})

function begin(tape: Tape, text: string): void {
  const [input] = tape.append([asked(text)], { sync: true })
  tape.append([user(text, input?.id ?? "")], { sync: true })
}

test("attach --output events: the events of a run of another gong as they are stored, and its result", async (t) => {
  const turns = [{ text: "I wait.", calls: [{ name: "bash", args: { command: wait } }] }, { text: "It went." }]
  const stage = await openStage(t, { turns })
  const first = stage.start(["--output", "events", "--yolo", "wait"])
  const { id } = await first.event("session")
  await first.event("tool_execution_start")
  const watching = stage.start(["attach", id.slice(-8), "--output", "events"])
  await watching.event("tool_execution_start")
  stage.write({ go: "" })
  const [run, watched] = await Promise.all([first.ended, watching.ended])
  assert.deepEqual([run.status, watched.status], [0, 0])
  assert.match(watched.err, /^gong: the gong with session \w+ \(pid \d+\) has exited\.\n$/)
  assert.deepEqual(comparable(eventsOf(watched)), comparable(eventsOf(run)))
  assert.deepEqual(
    eventsOf(watched).map(({ seq }) => seq),
    eventsOf(watched).map((_, at) => at + 1),
  )
})

test("attach during a reply: past entries, a notice about the pending reply, then the stored reply; --after returns the rest", async (t) => {
  const stalls = {
    text: "The second answer begins and stops.",
    delta: 4,
    fault: { kind: "stall", after: { chunks: 6 } },
  } as const
  const stage = await openStage(t, { turns: [{ text: "The first answer." }, stalls] })
  const id = "late-0001"
  const past = eventsOf(await stage.gong(["--session-id", id, "--output", "events", "first"]))
  const first = stage.start(["--session", id, "--output", "events", "--partial", "second"])
  await first.event("message_update")
  const whole = stage.start(["attach", id, "--output", "events"])
  const after = String(past.findLast(({ type }) => type === "agent_end")?.["entry"])
  const rest = stage.start(["attach", id, "--output", "events", "--after", after])
  const waits = await Promise.all([whole.event("notice"), rest.event("notice")])
  for (const { code, text } of waits)
    assert.deepEqual([code, text], ["waiting", "waiting for custom/mock; its reply is shown when it is complete"])
  first.child.kill("SIGINT")
  const [live, watched, behind] = (await Promise.all([first.ended, whole.ended, rest.ended])).map(eventsOf)
  const ofEntries = (lines: readonly Line[] = []) => comparable(lines.filter(({ entry }) => entry !== undefined))
  assert.deepEqual(ofEntries(watched), [...ofEntries(past), ...ofEntries(live)])
  assert.deepEqual(ofEntries(behind), ofEntries(live))
  const types = behind?.map(({ type }) => type)
  assert.deepEqual(types?.slice(0, 4), ["agent_start", "turn_start", "message_end", "notice"])
  const kept = ofType(behind ?? [], "message_end").at(-1)
  assert.match(JSON.stringify(kept?.message.content), /The second/)
  const unknown = await stage.gong(["attach", id, "--output", "events", "--until", "idle", "--after", "nothing"])
  assert.deepEqual([unknown.status, unknown.out], [2, ""])
  assert.match(unknown.err, /^gong: --after nothing: the active branch of session late-0001 has no such entry\./)
})

test("attach as text: from the last message on, then new steps; --until idle exits after the run", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "The first answer." }] })
  assert.equal((await stage.gong(["-pq", "first"])).status, 0)
  const tape = hold(stage)
  const [id = ""] = stage.sessions()
  const files = (): readonly string[] =>
    readdirSync(join(stage.gongHome, "sessions", id), { recursive: true }).map(String)
  try {
    begin(tape, "second\nline")
    const before = files()
    const watching = stage.start(["attach", id, "--until", "idle"])
    await printed(watching, "> second\n> line\n")
    const call = { type: "tool_call" as const, id: "c1", name: "bash", arguments: { command: "make" } }
    const calling = reply("The second answer.", [call])
    tape.append([calling, { type: "tool_start", callId: "c1", name: "bash", title: "make" }], { sync: false })
    await printed(watching, "The second answer.\n  bash make ...\n")
    tape.append([made("c1")], { sync: false })
    tape.handoff("next", { entries: [reply("And more.")] })
    tape.append([{ type: "run_end", status: "limit", turns: 2 }], { sync: true })
    const run = await watching.ended
    assert.deepEqual([run.status, run.err], [0, ""])
    const [head, ...rest] = run.out.split("\n")
    assert.equal(
      head,
      `Watching session ${id.slice(-8)} in ${stage.repo} by pid ${process.pid}: read-only; a step is shown when it is stored. Ctrl+C exits.`,
    )
    const waits = "  waiting for custom/mock; its reply is shown when it is complete\n"
    // The next reply may arrive before its request is seen.
    assert.equal(
      rest.join("\n").replace(`2.0 s\n${waits}`, "2.0 s\n"),
      `> second\n> line\n${waits}The second answer.\n  bash make ...\n  bash make  2.0 s\nAnd more.\n[limit]\n`,
    )
    const idle = await stage.gong(["attach", id, "--until", "idle"])
    assert.equal(idle.status, 0, "it is idle already")
    assert.deepEqual(
      files().filter((name) => !name.includes("002_next")),
      before,
      "who watches leaves nothing in the session",
    )
  } finally {
    tape.close()
  }
})

test("attach exits with status 130 on Ctrl+C, and neither changes the session nor hides its running calls", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "one" }] })
  await stage.gong(["-pq", "first"])
  const tape = hold(stage)
  try {
    begin(tape, "second")
    const watching = stage.start(["attach", tape.id])
    await printed(watching, "> second\n")
    watching.child.kill("SIGINT")
    const run = await watching.ended
    assert.deepEqual([run.status, run.err], [130, ""])
    tape.append([reply("still mine")], { sync: true })
    assert.equal(tape.stalled, null)
  } finally {
    tape.close()
  }
})

test("attach reports that the other gong was killed during a run, with status 1 for --until idle", async (t) => {
  const stage = await openStage(t, { turns: [{ calls: [{ name: "bash", args: { command: wait } }] }] })
  const first = stage.start(["--output", "events", "--yolo", "wait"])
  const { id } = await first.event("session")
  await first.event("tool_execution_start")
  const watching = stage.start(["attach", id, "--until", "idle", "--output", "events"])
  await watching.event("tool_execution_start")
  first.child.kill("SIGKILL")
  const run = await watching.ended
  stage.write({ go: "" })
  await first.ended
  assert.equal(run.status, 1)
  assert.match(run.err, new RegExp(`^gong: the gong with session \\w+ \\(pid ${first.child.pid}\\) has exited\\.\\n$`))
  assert.equal(ofType(eventsOf(run), "result").length, 0, "a run without an end has no result")
})

test("attach without an open session, or with unsupported options, is a usage error", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "one" }] })
  await stage.gong(["-pq", "--session-id", "work-0001", "first"])
  const refused = (run: Run): string => {
    assert.deepEqual([run.status, run.out], [2, ""])
    return run.err
  }
  const lines = [
    [
      ["attach", "work-0001"],
      "session work-0001 is not open in another gong. gong sessions show work-0001 shows it; gong --session work-0001 continues it.",
    ],
    [["attach"], '"attach" needs a value: gong attach ID'],
    [["attach", "nothing-of-it"], 'there is no session "nothing-of-it". gong sessions lists them.'],
    [["attach", "the", "cable"], '"attach" is a command. For a message write: gong -- attach the cable'],
    [
      ["attach", "work-0001", "--output", "json"],
      '--output json does not work with "gong attach"; text and events do.',
    ],
    [
      ["attach", "work-0001", "--until", "idle", "--after", "x"],
      '--after works only with "gong attach ID --output events".',
    ],
    [["-p", "x", "--until", "idle"], '--until works only with "gong attach".'],
    [["sessions", "--output", "json"], '--output json does not work with "gong sessions"; --json is for programs.'],
    [
      ["sessions", "list", "--output", "events"],
      '--output events does not work with "gong sessions list"; --json is for programs.',
    ],
    [
      ["sessions", "show", "work-0001", "--output", "json"],
      '--output json does not work with "gong sessions show"; --json is for programs.',
    ],
  ] as const
  for (const [args, line] of lines) assert.equal(refused(await stage.gong(args)), `gong: ${line}\n`)
  assert.equal((await stage.gong(["sessions", "--output", "text"])).status, 0)
})
