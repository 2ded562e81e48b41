import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { textOf } from "@gong/spec"
import type { Turn } from "@gong/testing/model-server"
import { eventsOf, ofType, openStage, type Stage } from "./harness.ts"

// Servers of others, driven through whole-program runs. `npm run test:mcp` installs them.
const peers = fileURLToPath(new URL("../../../mcp/test/peers", import.meta.url))
const skip = existsSync(join(peers, "node_modules"))
  ? false
  : "the servers of others are not installed: npm run test:mcp"
const done: Turn = { text: "done" }

function program(name: string): string {
  return join(peers, "node_modules/@modelcontextprotocol", name, "dist/index.js")
}

function call(name: string, args: object): Turn {
  return { calls: [{ name, args }] }
}

/** Adds a server, and returns what `gong mcp add` printed about it. */
async function added(stage: Stage, ...words: readonly string[]): Promise<string> {
  const run = await stage.gong(["mcp", "add", ...words])
  assert.equal(run.status, 0, run.err)
  return run.out
}

/** Calls tools one after the other, through the tool `mcp` where the definitions are too large; the texts of the results. */
async function called(stage: Stage, ...calls: readonly (readonly [string, object])[]): Promise<readonly string[]> {
  const turns = calls.map(([tool, args]) => call("mcp", { tool, arguments: args }))
  stage.server.begin([...turns, done])
  const run = await stage.gong(["--output", "events", "--allow", "mcp", "go"])
  const ends = ofType(eventsOf(run), "tool_execution_end")
  assert.equal(ends.length, calls.length, run.err)
  return ends.map(textOf)
}

test(
  "server-everything by stdio: tools, progress, an image, structured content, a task, a prompt",
  { skip },
  async (t) => {
    const stage = await openStage(t)
    const shown = await added(stage, "all", "--", process.execPath, program("server-everything"))
    assert.match(shown, /all: \d+ tools, .*everything.*, 2025-11-25\n/)
    const [sum, echo, image, structured, long, research] = await called(
      stage,
      ["all__get-sum", { a: 2, b: 3 }],
      ["all__echo", { message: "hello" }],
      ["all__get-tiny-image", {}],
      ["all__get-structured-content", { location: "New York" }],
      ["all__trigger-long-running-operation", { duration: 0.2, steps: 2 }],
      // It runs as a task only.
      ["all__simulate-research-query", { topic: "tapes" }],
    )
    assert.match(sum ?? "", /5/)
    assert.match(echo ?? "", /Echo: hello/)
    assert.match(image ?? "", /image\/png/)
    assert.match(structured ?? "", /temperature/)
    assert.match(long ?? "", /Long running operation completed/)
    assert.match(research ?? "", /Research Report: tapes/)
    stage.server.begin([done])
    assert.equal((await stage.gong(["-pq", "/all:simple-prompt"])).status, 0)
    assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /simple prompt/)
  },
)

test("server-everything by HTTP", { skip }, async (t) => {
  const stage = await openStage(t)
  const port = await freePort()
  const child = start(t, [program("server-everything"), "streamableHttp"], { PORT: String(port) })
  await listening(child, port)
  const shown = await added(stage, "all", `http://127.0.0.1:${port}/mcp`)
  assert.match(shown, /all: \d+ tools, .*, 2025-11-25\n/)
  const [sum] = await called(stage, ["all__get-sum", { a: 20, b: 22 }])
  assert.match(sum ?? "", /42/)
})

test("server-everything by SSE, where the configuration says so", { skip }, async (t) => {
  const stage = await openStage(t)
  const port = await freePort()
  const child = start(t, [program("server-everything"), "sse"], { PORT: String(port) })
  await listening(child, port)
  const servers = { all: { type: "sse", url: `http://127.0.0.1:${port}/sse` } }
  stage.write({ [join(stage.gongHome, "mcp.json")]: JSON.stringify({ mcpServers: servers }) })
  const tested = await stage.gong(["mcp", "test", "all"])
  assert.match(tested.out, /all: \d+ tools, .*, 2025-11-25\n/, tested.err)
  const [sum] = await called(stage, ["all__get-sum", { a: 20, b: 22 }])
  assert.match(sum ?? "", /42/)
})

test("server-filesystem: changes of files can be undone", { skip }, async (t) => {
  const stage = await openStage(t)
  stage.write({ "a.txt": "before\n" })
  await added(stage, "files", "--", process.execPath, program("server-filesystem"), stage.repo)
  const path = join(stage.repo, "a.txt")
  const [listed, written] = await called(
    stage,
    ["files__list_directory", { path: stage.repo }],
    ["files__write_file", { path, content: "after\n" }],
  )
  assert.match(listed ?? "", /a\.txt/)
  assert.match(written ?? "", /Successfully wrote/)
  assert.equal(stage.read("a.txt"), "after\n")
  const undone = await stage.gong(["undo"])
  assert.equal(undone.status, 0, undone.err)
  assert.equal(stage.read("a.txt"), "before\n")
})

test("server-memory and server-sequential-thinking", { skip }, async (t) => {
  const stage = await openStage(t)
  const memory = join(stage.repo, "memory.jsonl")
  await added(stage, "memory", `MEMORY_FILE_PATH=${memory}`, "--", process.execPath, program("server-memory"))
  await added(stage, "steps", "--", process.execPath, program("server-sequential-thinking"))
  const entity = { name: "Gong", entityType: "agent", observations: ["keeps a tape"] }
  const thought = { thought: "first", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
  const [, graph, steps] = await called(
    stage,
    ["memory__create_entities", { entities: [entity] }],
    ["memory__read_graph", {}],
    ["steps__sequentialthinking", thought],
  )
  assert.match(graph ?? "", /keeps a tape/)
  assert.match(steps ?? "", /thoughtNumber/)
})

test(
  "a server of Python",
  { skip: skip || !existsSync(join(peers, "python")) ? "mcp-server-time is not installed: npm run test:mcp" : false },
  async (t) => {
    const stage = await openStage(t)
    const env = `PYTHONPATH=${join(peers, "python")}`
    await added(stage, "time", env, "--", "python3", "-m", "mcp_server_time")
    stage.server.begin([call("time__get_current_time", { timezone: "Asia/Shanghai" }), done])
    const run = await stage.gong(["--output", "events", "--allow", "mcp(time__*)", "go"])
    const [now] = ofType(eventsOf(run), "tool_execution_end")
    assert.match(now ? textOf(now) : "", /Asia\/Shanghai/)
  },
)

test(
  "a server of revision 2026-07-28: its era is remembered, and its question without a user ends",
  { skip },
  async (t) => {
    const stage = await openStage(t)
    const shown = await added(stage, "modern", "--", process.execPath, join(peers, "modern-server.mjs"))
    assert.match(shown, /modern: 2 tools, modern 1\.0\.0, 2026-07-28\n/)
    stage.server.begin([call("modern__shout", { text: "hi" }), call("modern__ask", {}), done])
    const run = await stage.gong(["--output", "events", "--allow", "mcp", "go"])
    const [shout, ask] = ofType(eventsOf(run), "tool_execution_end")
    assert.equal(shout && textOf(shout), "HI")
    assert.match(ask ? textOf(ask) : "", /"action":"cancel"/)
  },
)

function start(t: TestContext, args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: "ignore" })
  t.after(() => void child.kill("SIGKILL"))
  return child
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === "object" && address !== null ? address.port : 0
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 200 && child.exitCode === null; tries++) {
    const found = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (found) return
    await sleep(50)
  }
  throw new Error(`nothing listens on ${port}`)
}
