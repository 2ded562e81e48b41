import { execFile, spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { type Agent, gong } from "./agents.ts"
import { type Bench, type Figure, median } from "./lines.ts"
import { pssOf } from "./memory.ts"
import { monotonic, type Run, runOnce } from "./run.ts"
import { frameEnd, open } from "./terminal-session.ts"
import { sayHi, type Work } from "./work.ts"

const server = fileURLToPath(new URL("../../testing/src/mcp/stdio-server.mjs", import.meta.url))
const launcher = fileURLToPath(new URL("../../packages/gong/bin/gong.js", import.meta.url))
const schema = { type: "object", properties: { a: { type: "number", description: "The first number." } } }

/** Servers and tools of each kind of home. */
const homes = { none: [0, 0], one: [1, 5], twenty: [20, 25] } as const
type Home = keyof typeof homes

/**
 * MCP servers whose tools are known: the cost of a start that does not use them, the first call beside the start of the server
 * itself, and the size of the first request with 500 tools.
 */
export async function mcpServers(bench: Bench): Promise<Figure[]> {
  for (const home of Object.keys(homes) as Home[]) await install(bench, home)
  const idle: Record<Home, Run[]> = { none: [], one: [], twenty: [] }
  const memory: Record<Home, Run[]> = { none: [], one: [], twenty: [] }
  const calls: Run[] = []
  const bare: number[] = []
  for (let i = -1; i < bench.n * 2; i++) {
    for (const home of Object.keys(homes) as Home[]) {
      const run = await runOnce(bench.model, optionsFor(bench, home, sayHi()))
      if (i >= 0) idle[home].push(run)
    }
    const call = await runOnce(bench.model, optionsFor(bench, "one", oneCall()))
    if (i >= 0) calls.push(call)
    if (i >= 0) bare.push(await bareCall(bench, folderOf(bench, "one")))
  }
  // By themselves: a server that is still running would share pages with the first of them.
  for (let i = 0; i < bench.n; i++)
    for (const home of Object.keys(homes) as Home[])
      memory[home].push(await runOnce(bench.model, { ...optionsFor(bench, home, sayHi()), memory: 4 }))
  const screens: Record<Home, Start[]> = { none: [], one: [], twenty: [] }
  for (const home of ["none", "one"] as const) await makeScreenHome(bench, home)
  for (let i = 0; i < bench.n * 2; i++)
    for (const home of ["none", "one"] as const) screens[home].push(await screenStart(bench, home))
  const painted = (home: Home) => median(screens[home].map(({ paintedAfter }) => paintedAfter))
  const idleMemory = (home: Home) => median(screens[home].map((start) => start.pss)) / 1e6
  const first = (home: Home) => median(idle[home].map(({ firstRequest }) => firstRequest))
  const pss = (home: Home) => median(memory[home].map((run) => run.pss)) / 1e6
  const bytes = (home: Home) => (idle[home][0]?.bytes[0] ?? Number.NaN) / 1000
  const gap = median(calls.map(({ gaps }) => gaps[0] ?? Number.NaN))
  const own = median(bare)
  const added = (line: string, base: number, value: number, limit: number, unit: string): Figure => ({
    line,
    budget: `<= +${limit} ${unit}`,
    floor: `${base.toFixed(1)} ${unit}`,
    gong: `${value.toFixed(1)} ${unit}`,
    judged: value - base,
    limit,
  })
  return [
    added("a server that is not used: spawn to first paint", painted("none"), painted("one"), 5, "ms"),
    added(
      "a server that is not used: memory (PSS) of an idle conversation",
      idleMemory("none"),
      idleMemory("one"),
      0.3,
      "MB",
    ),
    added("a server that is not used: spawn to first request", first("none"), first("one"), 5, "ms"),
    added("a server that is not used: peak memory (PSS)", pss("none"), pss("one"), 2, "MB"),
    added("20 servers that are not used: spawn to first request", first("none"), first("twenty"), 30, "ms"),
    added("first call, beside the start of the server itself", own, gap, 150, "ms"),
    added("20 servers with 500 tools: first request", bytes("none"), bytes("twenty"), 4.1, "KB"),
  ]
}

function folderOf({ folder }: Bench, home: Home): string {
  return join(folder, `mcp ${home}`)
}

function optionsFor(bench: Bench, home: Home, work: Work) {
  const agent: Agent = { ...gong, name: "gong" }
  return { agent, work, folder: folderOf(bench, home), node: bench.node }
}

interface Start {
  /** Milliseconds from the spawn to the end of the first frame. */
  readonly paintedAfter: number
  /** Bytes, a second after it. */
  readonly pss: number
}

function screenHome(bench: Bench, home: Home): string {
  return join(folderOf(bench, home), "screen")
}

/** The servers with their records, and the code cache of one start: what another command has cached would be a difference, too. */
async function makeScreenHome(bench: Bench, home: Home): Promise<void> {
  const to = screenHome(bench, home)
  mkdirSync(to, { mode: 0o700 })
  for (const name of ["mcp.json", "mcp"]) {
    const from = join(folderOf(bench, home), "home/.gong", name)
    if (existsSync(from)) cpSync(from, join(to, name), { recursive: true })
  }
  await screenStart(bench, home, (used) => cpSync(join(used, "cache"), join(to, "cache"), { recursive: true }))
}

async function screenStart(
  bench: Bench,
  home: Home,
  onEnd: (gongHome: string) => void = () => undefined,
): Promise<Start> {
  const gong = open(bench, [], (place) => cpSync(screenHome(bench, home), join(place, "gong"), { recursive: true }))
  const paintedAfter = (await gong.until(frameEnd)) - gong.startedAt
  await sleep(1_000)
  const pss = pssOf(gong.pty.pid)
  await gong.end(() => onEnd(join(gong.home, "gong")))
  return { paintedAfter, pss }
}

function oneCall(): Work {
  const calls = [{ name: "s0__tool0", args: { a: 1 } }]
  return { ...sayHi(), prompt: "call it", turns: [{ text: "Calling.", calls }, { text: "done" }] }
}

/** Writes the configuration, and has each server started once, so that its tools are known. */
async function install(bench: Bench, home: Home): Promise<void> {
  const folder = folderOf(bench, home)
  const gongHome = join(folder, "home/.gong")
  mkdirSync(gongHome, { recursive: true, mode: 0o700 })
  const [servers, tools] = homes[home]
  if (servers === 0) return
  const offer = join(folder, "offer.json")
  const names = Array.from({ length: tools }, (_, at) => `tool${at}`)
  const description = "Does one thing to a number, and says in a sentence what it was."
  writeFileSync(offer, JSON.stringify({ tools: names.map((name) => ({ name, description, inputSchema: schema })) }))
  const entries = Array.from({ length: servers }, (_, at): readonly [string, object] => [
    `s${at}`,
    { command: bench.node, args: [server, offer], sandbox: false },
  ])
  writeFileSync(join(gongHome, "mcp.json"), JSON.stringify({ mcpServers: Object.fromEntries(entries) }))
  const env = { PATH: "/usr/bin:/bin", HOME: join(folder, "home"), GONG_DIST: "1", GONG_HOME: gongHome }
  for (const [name] of entries) {
    // Not in the way of this process, whose connection to the model server would be closed meanwhile.
    await promisify(execFile)(bench.node, [launcher, "mcp", "test", name], { cwd: folder, env })
  }
}

/** Milliseconds from the spawn of the server to the answer of a call, with nothing between. */
async function bareCall({ node }: Bench, folder: string): Promise<number> {
  const began = monotonic()
  const child = spawn(node, [server, join(folder, "offer.json")], { stdio: ["pipe", "pipe", "ignore"] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const asked = [
    { id: 1, method: "initialize", params: {} },
    { id: 2, method: "tools/list" },
    { id: 3, method: "tools/call", params: { name: "tool0", arguments: {} } },
  ]
  for (const request of asked) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`)
    await lines.next()
  }
  const taken = monotonic() - began
  child.kill("SIGKILL")
  return taken
}
