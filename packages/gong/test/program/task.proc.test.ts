import assert from "node:assert/strict"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { type Entry, textOf } from "@gong/spec"
import type { PlayedCall, Turn } from "@gong/testing/model-server"
import { eventsOf, type Line, ofType, openStage, resultOf, type Stage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"
import { openTerminal, skip } from "./terminal.ts"

const named = ["--tools", "+task"]

function task(prompt: string, more: object = {}): PlayedCall {
  return { name: "task", args: { prompt, ...more } }
}

function calls(...list: readonly PlayedCall[]): Turn {
  return { calls: list }
}

function bash(command: string): PlayedCall {
  return { name: "bash", args: { command } }
}

function write(path: string): PlayedCall {
  return { name: "write", args: { path, content: "made\n" } }
}

interface Body {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

function bodies(stage: Stage): readonly Body[] {
  return stage.server.requests.map(({ body }) => body as Body)
}

/** Folders of the sessions that did tasks. */
function tasksOf(stage: Stage): readonly string[] {
  const [session = ""] = stage.sessions()
  const folder = join(stage.gongHome, "sessions", session, "tasks")
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : []
  return names.map((name) => join(folder, name))
}

function entriesIn(folder: string): readonly Entry[] {
  const [phase = ""] = readdirSync(join(folder, "anchors"))
  const lines = readFileSync(join(folder, "anchors", phase, "entries.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
  return lines.map((line) => JSON.parse(line) as Entry)
}

function own(lines: readonly Line[]): readonly Line[] {
  return lines.filter(({ parent }) => parent === undefined)
}

test("a task runs in its own session; its last message is the result, its events have the call id", async (t) => {
  const stage = await openStage(t, {
    turns: [
      calls(task("Count the files.", { title: "count" })),
      calls(bash("ls"), write("made.txt")),
      { text: "There is one file.", usage: { input: 100, output: 10 } },
      { text: "One." },
    ],
  })
  const run = await stage.gong(["--output", "events", "--yolo", ...named, "how many?"])
  const result = resultOf(run)
  assert.deepEqual([run.status, result.text, result.turns, result.toolCalls], [0, "One.", 2, 1], run.err)
  const lines = eventsOf(run)
  const inside = lines.filter(({ parent }) => parent !== undefined)
  const [start] = ofType(own(lines), "tool_execution_start")
  assert.equal(start?.title, "count")
  assert.ok(inside.length > 0)
  assert.ok(inside.every(({ parent, run: name }) => parent === start?.toolCallId && name === start?.run))
  assert.deepEqual(
    ofType(inside, "tool_execution_end").map(({ name, status }) => [name, status]),
    [
      ["bash", "ok"],
      ["write", "ok"],
    ],
  )
  const end = ofType(own(lines), "tool_execution_end")[0]
  assert.match(end ? textOf(end) : "", /^There is one file\.\n\n\[task \w+: 2 turns, 2 tool calls\]$/)
  assert.deepEqual(end?.files, [{ path: "made.txt", change: "created", added: 1, removed: 0 }])
  assert.deepEqual(
    result.files.map(({ path }) => path),
    ["made.txt"],
  )

  // Its own conversation, its own tools: no content of its parent, no task in a task.
  const [first, second] = bodies(stage)
  assert.ok(first?.tools?.some(({ function: { name } }) => name === "task"))
  assert.ok(!second?.tools?.some(({ function: { name } }) => name === "task" || name === "ask"))
  assert.deepEqual(
    second?.messages.map(({ role }) => role),
    ["system", "user"],
  )
  assert.ok(!JSON.stringify(second?.messages).includes("how many?"))

  // A tape of its own, linked both ways, and out of the list.
  const [folder = ""] = tasksOf(stage)
  const info = JSON.parse(readFileSync(join(folder, "tape.json"), "utf8")) as { id: string; parent: unknown }
  assert.deepEqual(info.parent, { id: result.session, call: start?.toolCallId })
  assert.deepEqual([end?.details?.["session"], end?.details?.["tape"]], [info.id, folder])
  assert.equal((await stage.gong(["sessions"])).out.trimEnd().split("\n").length, 1)
  assert.match((await stage.gong(["sessions", "tree", result.session])).out, /task \w+ +Count the files\./)
  assert.match((await stage.gong(["sessions", "show", info.id])).out, /There is one file\./)
  stage.server.begin([{ text: "Still here." }])
  await stage.gong(["-p", "-c", "go on"])
  assert.ok(
    JSON.stringify(bodies(stage).at(-1)).includes("how many?"),
    "-c goes on with the session, not with its task",
  )
})

test("the cost of a task counts for the run: in the result, on the tape, and for its limits", async (t) => {
  const stage = await openStage(t, {
    turns: [
      { ...calls(task("Spend.")), usage: { input: 100, output: 0 } },
      { ...calls(bash("echo 1")), usage: { input: 300, output: 0 } },
      { ...calls(bash("echo 2")), usage: { input: 300, output: 0 } },
      { text: "never asked" },
    ],
  })
  const run = await stage.gong(["--output", "events", "--yolo", ...named, "--max-tokens", "600", "go"])
  const result = resultOf(run)
  assert.deepEqual([run.status, result.limit, result.usage.input], [3, "tokens", 700])
  assert.equal(stage.server.requests.length, 3)
  const [end] = ofType(own(eventsOf(run)), "tool_execution_end")
  assert.match(end ? textOf(end) : "", /ended by its limit \(tokens\)/)
  const paid = stage.entries().filter((entry) => entry.type === "model_call")
  assert.deepEqual(
    paid.map(({ purpose, usage }) => [purpose, usage.input]),
    [
      ["task", 300],
      ["task", 300],
    ],
  )
})

test("a task has its own limits, model and tools", async (t) => {
  const stage = await openStage(t, {
    turns: [
      calls(task("Look.", { tools: ["read", "ls"] })),
      calls({ name: "ls", args: {} }),
      calls(task("Go on.", { tools: ["task"] })),
      { text: "done" },
    ],
  })
  const set = ["--set", "task.maxTurns=1", "--set", "task.model=small"]
  const run = await stage.gong(["--output", "events", "--yolo", ...named, ...set, "go"])
  const ends = ofType(own(eventsOf(run)), "tool_execution_end").map(textOf)
  assert.match(ends[0] ?? "", /ended by its limit \(turns\)/)
  assert.match(ends[1] ?? "", /cannot be given task\. It can have: read, write, edit, bash, grep, find, ls\./)
  const [, second] = bodies(stage)
  assert.deepEqual([second?.model, second?.tools?.map(({ function: { name } }) => name)], ["small", ["read", "ls"]])
})

test("permission rules of the session apply to its tasks, with the guard on and off", async (t) => {
  const stage = await openStage(t)
  let runs = 0
  const statusesOf = async (...args: readonly string[]) => {
    runs += 1
    stage.server.begin([
      calls(task("Try.")),
      calls(bash("make x"), write(`${runs}.txt`), bash("rm -rf .git")),
      { text: "tried" },
      { text: "done" },
    ])
    const run = await stage.gong(["--output", "events", "--no-session", ...named, ...args, "go"])
    const lines = eventsOf(run)
    const inside = ofType(
      lines.filter(({ parent }) => parent !== undefined),
      "tool_execution_end",
    )
    return [
      run.status,
      ...inside.map(({ status }) => status),
      ...ofType(own(lines), "tool_execution_end").map(({ status }) => status),
    ]
  }
  assert.deepEqual(await statusesOf("--permission", "plan"), [0, "refused", "refused", "refused", "ok"])
  assert.deepEqual(await statusesOf(), [0, "refused", "ok", "refused", "ok"])
  assert.deepEqual(await statusesOf("--yolo"), [0, "error", "ok", "refused", "ok"])
  assert.deepEqual(await statusesOf("--yolo", "--deny", "write"), [0, "error", "refused", "refused", "ok"])
  assert.deepEqual(await statusesOf("--strict"), [4, "refused", "skipped", "skipped", "refused"])
  // The model then makes the calls itself.
  assert.deepEqual(await statusesOf("--yolo", "--deny", "task"), [0, "refused", "error", "ok", "refused"])
  assert.ok(existsSync(join(stage.repo, ".git")))
})

test("changes of a task are undone with the session", async (t) => {
  const stage = await openStage(t, {
    turns: [calls(task("Make.")), calls(write("a.txt"), bash("echo b > b.txt")), { text: "made" }, { text: "done" }],
  })
  // On a busy machine a scan for a command's changes takes longer than usual.
  await stage.gong(["-p", "--yolo", ...named, "--set", "undo.lookTime=60", "go"])
  assert.deepEqual([stage.read("a.txt"), stage.read("b.txt")], ["made\n", "b\n"])
  const undone = await stage.gong(["undo"])
  assert.equal(undone.status, 0, undone.err)
  assert.deepEqual([existsSync(join(stage.repo, "a.txt")), existsSync(join(stage.repo, "b.txt"))], [false, false])
})

test("questions of a task are answered in the session, and an abort ends both", async (t) => {
  const stage = await openStage(t, {
    turns: [calls(task("Try.")), calls(bash("make x")), { text: "tried" }, { text: "done" }],
  })
  const client = startRpc(t, stage, [...named, "--permission", "ask"])
  await client.request("prompt", { text: "go" })
  const asked = await client.event("permission_request")
  assert.ok(asked.parent !== undefined)
  assert.deepEqual(
    (await client.request("get_state")).questions.map(({ id }) => id),
    [asked.id],
  )
  await client.request("permission_reply", { target: asked.id, choice: "no" })
  assert.deepEqual([(await client.event("result")).text], ["done"])

  stage.server.begin([calls(task("Wait.")), calls(bash("sleep 1000"))])
  await client.request("set_permission", { level: "full" })
  await client.request("prompt", { text: "again" })
  for (;;) {
    const started = await client.event("tool_execution_start")
    if (started.parent !== undefined) break
  }
  await client.request("abort")
  assert.equal((await client.event("result")).status, "interrupted")
  const last = entriesIn(tasksOf(stage).at(-1) ?? "").at(-1)
  assert.deepEqual([last?.type, last?.type === "run_end" && last.status], ["run_end", "interrupted"])
})

test("killed during a task: the call has the status interrupted, and its cost is on the tape", async (t) => {
  const stage = await openStage(t, { turns: [calls(task("Wait.")), calls(bash("echo 1")), calls(bash("sleep 1000"))] })
  const live = stage.start(["--output", "events", "--yolo", ...named, "go"])
  await new Promise<void>((resolve) => {
    let text = ""
    live.child.stdout?.on("data", (piece: string) => {
      text += piece
      if (text.includes("sleep 1000")) resolve()
    })
  })
  live.child.kill("SIGKILL")
  await live.ended
  stage.server.begin([{ text: "I see." }])
  const run = await stage.gong(["--output", "events", "-c", ...named, "go on"])
  assert.equal(resultOf(run).text, "I see.")
  assert.match(JSON.stringify(bodies(stage).at(-1)), /Interrupted: Gong stopped while this ran/)
  // Of the reply before the last one at least: it was paid for before the last one was asked for.
  assert.ok(stage.entries().some((entry) => entry.type === "model_call" && entry.purpose === "task"))
})

test("line-by-line output of a task is indented, and its messages are not the answer", { skip }, async (t) => {
  const stage = await openStage(t)
  stage.server.begin([
    calls(task("Look.", { title: "look" })),
    calls(bash("echo hi")),
    { text: "inner words" },
    { text: "outer words" },
  ])
  const terminal = openTerminal(t, stage, ["--yolo", ...named, "go"])
  await terminal.until("task look ...")
  await terminal.until("    bash echo hi")
  await terminal.until("outer words")
  await terminal.until("> ")
  assert.ok(!terminal.text.includes("inner words"))
  terminal.type("\u0004")
  assert.equal(await terminal.ended, 0)
})
