import assert from "node:assert/strict"
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import type { Api } from "@gong/spec"
import type { ModelServerOptions, Turn } from "@gong/testing/model-server"
import { canary, openStage, type Run, type Stage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"

const bash = (command: string): Turn => ({ calls: [{ name: "bash", args: { command } }] })

const recorded = { record: "on", retry: { baseMs: 1 } }

async function stageOf(t: TestContext, options: ModelServerOptions & { readonly api?: Api }): Promise<Stage> {
  const stage = await openStage(t, options)
  stage.write({ [join(stage.gongHome, "settings.json")]: JSON.stringify(recorded) })
  return stage
}

const sessionFolder = (stage: Stage): string => join(stage.gongHome, "sessions", stage.sessions()[0] ?? "")
const recordingOf = (stage: Stage): string => join(sessionFolder(stage), "artifacts/exchanges.jsonl")

/** Every file of a session with its size and content. */
function filesOf(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => statSync(join(folder, name)).isFile() && name !== "lock",
  )
  return names.toSorted().map((name) => `${name} ${readFileSync(join(folder, name), "latin1")}`)
}

/** Ends the process when anything of it would reach for a network, or be reached. */
const noSockets = `
import net from "node:net"
import dgram from "node:dgram"
import dns from "node:dns"
const refuse = (what) => () => { process.stderr.write("SOCKET " + what + "\\n"); process.exit(99) }
net.Socket.prototype.connect = refuse("connect")
net.Server.prototype.listen = refuse("listen")
dgram.createSocket = refuse("datagram")
dns.lookup = refuse("lookup")
`

function noSocketsIn({ root }: Stage): string {
  const guard = join(root, "no-sockets.mjs")
  writeFileSync(guard, noSockets)
  return `--import=${guard}`
}

/** Replays with the server gone, without a key, in a process that cannot open a socket; nothing of the session changes. */
async function replay(stage: Stage, ...more: readonly string[]): Promise<Run> {
  await stage.server.close()
  const before = filesOf(sessionFolder(stage))
  const env = { GONG_API_KEY: undefined, NODE_OPTIONS: noSocketsIn(stage) }
  const run = await stage.gong(["sessions", "replay", stage.sessions()[0] ?? "", ...more], { env })
  assert.deepEqual(filesOf(sessionFolder(stage)), before)
  return run
}

async function sameAgain(stage: Stage, requests: number): Promise<void> {
  const run = await replay(stage)
  assert.deepEqual([run.err, run.status], ["", 0], run.out)
  const [first = ""] = run.out.split("\n")
  assert.match(first, new RegExp(`^replayed ${requests} requests?, \\d+ steps: the same$`))
  assert.doesNotMatch(run.out, /^not run/m)
}

test("a run with tools, a refusal and a retry after 429 is replayed: no server, no key, no socket, nothing run", async (t) => {
  const stage = await stageOf(t, {
    turns: [
      { fault: { kind: "status", status: 429 } },
      {
        text: "I look.",
        calls: [
          { name: "read", args: { path: "a.txt" } },
          { name: "ls", args: {} },
        ],
      },
      { calls: [{ name: "write", args: { path: "b.txt", content: "中文 and more\n" } }] },
      bash("echo once >> count.txt; cat count.txt"),
      bash("rm -rf /"),
      {
        calls: [
          { name: "hammer", args: {} },
          { name: "bash", args: "{broken" },
        ],
      },
      { thinking: "hm", text: "Done: 中文." },
    ],
  })
  stage.write({ "a.txt": "one\n" })
  const run = await stage.gong(["-p", "--permission", "full", `please look, 请: ${canary}`])
  assert.equal(run.status, 0, run.err)
  rmSync(join(stage.repo, "a.txt"))
  await sameAgain(stage, 7)
  assert.equal(stage.read("count.txt"), "once\n")
  assert.ok(!readFileSync(recordingOf(stage), "utf8").includes(canary))
})

test("a steer during a command, a follow-up, another model and an abort are replayed at their positions", async (t) => {
  const turns = [bash("echo begun; sleep 60"), { text: "As you say." }, { text: "That too." }]
  const late = { text: "never read to its end ".repeat(40), fault: { kind: "stall" as const, after: { chunks: 3 } } }
  const stage = await stageOf(t, { turns: [...turns, bash("echo two; sleep 60"), { text: "next" }, late] })
  const client = startRpc(t, stage, ["--permission", "full"])
  await client.request("prompt", { text: "first" })
  await client.event("tool_execution_update")
  await client.request("follow_up", { text: "and then" })
  await client.request("steer", { text: "stop that" })
  await client.event("result")
  await client.request("prompt", { text: "second" })
  await client.event("tool_execution_update")
  await client.request("abort")
  await client.event("result")
  await client.request("set_model", { model: "other" })
  await client.request("prompt", { text: "third" })
  await client.event("result")
  await client.request("prompt", { text: "fourth" })
  await client.event("message_update")
  await client.request("abort")
  await client.event("result")
  client.close()
  await client.ended
  await sameAgain(stage, 6)
})

test("a conversation with a compaction, continued in a second process, is replayed", async (t) => {
  let read = 0
  const stage = await stageOf(t, {
    otherwise({ body }) {
      const text = JSON.stringify(body)
      if (text.includes("You write summaries")) return { text: "## Goal\nto read them all" }
      const usage = { input: Math.ceil(text.length * 0.8), output: 40 }
      if (text.includes("go on, please")) return { text: "gone on", usage }
      return read < 30 ? { calls: [{ name: "read", args: { path: `f${read++}.txt` } }], usage } : { text: "all", usage }
    },
  })
  const files = Array.from({ length: 30 }, (_, at) => [`f${at}.txt`, `${at} ${"some words of a file ".repeat(300)}\n`])
  stage.write(Object.fromEntries(files) as Record<string, string>)
  assert.equal((await stage.gong(["-p", "read them all"])).status, 0)
  assert.ok(stage.entries().some(({ type }) => type === "compaction"))
  assert.equal((await stage.gong(["-c", "-p", "go on, please"])).status, 0)
  const { requests } = stage.server
  const lines = readFileSync(recordingOf(stage), "utf8").length
  const sent = requests.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0)
  assert.ok(lines < sent / 3, `${lines} bytes hold ${sent}`)
  await sameAgain(stage, requests.length)
})

test("a run with a fallback model, and the next one with the first model, are replayed", async (t) => {
  const down: Turn = { fault: { kind: "status", status: 503 } }
  const stage = await stageOf(t, {
    turns: [down, bash("echo hi"), { text: "from the other" }, { text: "from the first" }],
  })
  const client = startRpc(t, stage, ["-m", "mock,other:low", "--set", "retry.count=0"])
  for (const text of ["one", "two"]) {
    await client.request("prompt", { text })
    await client.event("result")
  }
  client.close()
  await client.ended
  const models = stage.server.requests.map(({ body }) => (body as { model: string }).model)
  assert.deepEqual(models, ["mock", "other", "other", "mock"])
  await sameAgain(stage, 4)
})

test("a run killed during a tool is replayed up to there, and the next one completely", async (t) => {
  const look: Turn = { calls: [{ name: "ls", args: {} }] }
  const stage = await stageOf(t, {
    turns: [look, { ...bash("echo begun; sleep 60"), argDelta: 100 }, { text: "gone on" }],
  })
  const client = startRpc(t, stage, ["--permission", "full"])
  await client.request("prompt", { text: "begin" })
  await client.event("tool_execution_update")
  while (!readFileSync(recordingOf(stage), "utf8").includes("echo begun")) await new Promise(setImmediate)
  client.child.kill("SIGKILL")
  await client.ended
  const on = await stage.gong(["-c", "-p", "go on"])
  assert.equal(on.status, 0, on.err)
  const run = await replay(stage)
  assert.deepEqual([run.status, run.err], [0, ""], run.out)
  assert.match(run.out, /^replayed 3 requests, \d+ steps: the same\na run was replayed up to the end of its process/)
})

test("a question answered with no, one ended by an abort, and a broken connection are replayed", async (t) => {
  const broken: Turn = { text: "half of it ".repeat(20), fault: { kind: "drop", after: { chunks: 3 } } }
  const thought: Turn = { thinking: "let me see", text: "I see.", calls: [{ name: "ls", args: {} }] }
  const stage = await stageOf(t, {
    api: "anthropic-messages",
    turns: [broken, thought, bash("touch one"), { text: "Then not." }, bash("touch two"), { text: "whole" }],
  })
  const client = startRpc(t, stage, ["--permission", "ask"])
  await client.request("prompt", { text: "first" })
  const asked = await client.event("permission_request")
  await client.request("steer", { text: "not that one", when: "after-tool" })
  await client.request("permission_reply", { target: asked.id, choice: "no", message: "never" })
  await client.event("result")
  await client.request("prompt", { text: "second" })
  await client.event("permission_request")
  await client.request("abort")
  await client.event("result")
  await client.request("prompt", { text: "third" })
  await client.event("result")
  client.close()
  await client.ended
  await sameAgain(stage, 6)
})

test("the process of these replays really cannot open a socket", async (t) => {
  const stage = await stageOf(t, {})
  const run = await stage.gong(["-p", "--no-session", "hi"], { env: { NODE_OPTIONS: noSocketsIn(stage) } })
  assert.deepEqual([run.status, run.err.includes("SOCKET connect")], [99, true])
})

test("replay of an unrecorded session explains recording; an invalid recording is reported with its line", async (t) => {
  const stage = await stageOf(t, { turns: [{ text: "hi" }, { text: "hi" }] })
  assert.equal((await stage.gong(["-p", "--set", "record=off", "--session-id", "plain", "hi"])).status, 0)
  const not = await stage.gong(["sessions", "replay", "plain"])
  assert.deepEqual([not.status, not.out], [2, ""])
  assert.match(not.err, /^gong: session plain was not recorded\. .*--set record=on.*\n$/)
  assert.equal((await stage.gong(["-p", "--session-id", "other", "hi"])).status, 0)
  const file = join(stage.gongHome, "sessions/other/artifacts/exchanges.jsonl")
  writeFileSync(file, readFileSync(file, "utf8").replace('"type":"model"', '"type":"modal"'))
  const broken = await stage.gong(["sessions", "replay", "other"])
  assert.deepEqual([broken.status, broken.err], [2, "gong: line 2 of the recording of session other cannot be read.\n"])
})

const changes: readonly (readonly [what: string, from: string, to: string, shown: RegExp])[] = [
  [
    "a request",
    "hello there",
    "hellO there",
    /request 1 differs at messages\[1\]\.content\n  recorded: "hellO there"\n  replayed: "hello there"\n/,
  ],
  [
    "a reply",
    "Fine.",
    "Fane.",
    /step \w+ \(message\) differs at message\.content\[0\]\.text\n.*"Fine\."\n.*"Fane\."\n/,
  ],
  ["a status", '"status":200', '"status":401', /step \w+ \(\w+\) differs/],
  [
    "a call",
    "echo wonder",
    "echo Wonder",
    /step \w+ \(message\) differs at message\.content\[0\]\.arguments\.command\n/,
  ],
]

for (const [what, from, to, shown] of changes)
  test(`one changed byte of ${what} is found and shown`, async (t) => {
    const stage = await stageOf(t, { turns: [{ ...bash("echo wonderful"), argDelta: 100 }, { text: "Fine." }] })
    assert.equal((await stage.gong(["-p", "hello there"])).status, 0)
    const text = readFileSync(recordingOf(stage), "utf8")
    assert.ok(text.includes(from), text)
    writeFileSync(recordingOf(stage), text.replace(from, to))
    const run = await replay(stage)
    assert.deepEqual([run.status, run.err], [1, ""], run.out)
    assert.match(run.out, shown)
    const json = JSON.parse((await replay(stage, "--json")).out) as { same: boolean; difference: { at: string } }
    assert.deepEqual([json.same, run.out.includes(json.difference.at)], [false, true])
  })
