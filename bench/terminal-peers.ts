import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { openEmulator } from "../testing/src/emulator.ts"
import { startModelServer, type Turn } from "../testing/src/model-server.ts"
import { killDescendant } from "../testing/src/processes.ts"
import { median } from "./lib/lines.ts"
import { pssOf, treeOf } from "./lib/memory.ts"
import { monotonic } from "./lib/run.ts"
import { type Place, peerProgram, type ScreenAgent, screenAgents } from "./lib/screen-agents.ts"
import { cpuMs, percentile } from "./lib/terminal-session.ts"

/**
 * PEERS=FOLDER node bench/terminal-peers.ts [--only gong,codex] [--n 5]
 *
 * The screen of other agents beside that of Gong: the same terminal (120 x 40), the same replies, all processes of each agent.
 * FOLDER/NAME/node_modules holds its npm package, FOLDER/node26 that of Node. Medians, of at most 3 runs with a long reply.
 */
const { values } = parseArgs({ options: { only: { type: "string" }, n: { type: "string", default: "5" } } })
const size = { cols: 120, rows: 40 }
const { spawn } = createRequire(import.meta.url)("@lydell/node-pty") as typeof import("@lydell/node-pty")

// A copy shares no pages with this process: shared ones would halve the measured memory.
const folder = mkdtempSync(join(tmpdir(), "gong-peers-"))
const node = join(folder, "node")
copyFileSync(process.execPath, node)
const agents = screenAgents(node)

const words = "the quick brown fox jumps over a lazy dog while it reads lines of code and looks for faults".split(" ")
/** Gemini ends a reply that repeats itself. */
const lines = Array.from({ length: 800 }, (_, at) =>
  [at, ...Array.from({ length: 6 }, (__, word) => words[(at * 7 + word * word * 5 + (at >> 3)) % words.length])].join(
    " ",
  ),
)
/** 1,500 events in 15 s. */
const longReply: Turn = { text: lines.join("\n\n").slice(0, 30_000), delta: 20, delayMs: 10 }
const shortReply: Turn = { text: "ok" }

let reply = shortReply
/** Requests for titles and the like have no tools. */
const isMain = (text: string | null): boolean => /"tools"\s*:\s*\[\s*\{/.test(text ?? "")
const server = await startModelServer({
  validate: false,
  otherwise: (_, text) => (isMain(text) ? reply : shortReply),
  routes: (_, path) => (path.endsWith("count_tokens") ? { status: 200, body: { input_tokens: 100 } } : undefined),
})

interface Session {
  readonly pid: number
  readonly startedAt: number
  bytes(): number
  write(keys: string): void
  /** Milliseconds from `since` until the screen matches; null after `limit` milliseconds. */
  until(matches: (screen: string) => boolean, since: number, limit: number): Promise<number | null>
  end(): void
}

function open(agent: ScreenAgent): Session {
  const home = mkdtempSync(join(folder, "home-"))
  const place: Place = { home, repo: join(home, "repo"), url: server.url }
  mkdirSync(join(place.repo, ".git"), { recursive: true })
  for (const [path, content] of Object.entries(agent.files?.(place) ?? {})) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), typeof content === "string" ? content : JSON.stringify(content))
  }
  const [program = "", ...first] = agent.command
  const startedAt = monotonic()
  const pty = spawn(program, [...first, ...agent.args(place)], {
    ...size,
    name: "xterm-256color",
    cwd: place.repo,
    env: {
      PATH: `${dirname(peerProgram("node26", "node"))}:${process.env["PATH"] ?? ""}`,
      HOME: home,
      GONG_HOME: join(home, "gong"),
      LANG: "C.UTF-8",
      COLORTERM: "truecolor",
      IS_SANDBOX: "1",
      ...agent.env?.(place),
    },
  })
  const emulator = openEmulator(size.cols, size.rows)
  let bytes = 0
  let changed = true
  let written = Promise.resolve()
  pty.onData((data) => {
    bytes += Buffer.byteLength(data)
    written = written
      .then(() => emulator.write(data))
      .then(() => {
        changed = true
        // Some agents wait for the answers to their queries.
        for (const answer of (emulator.replies as string[]).splice(0)) pty.write(answer)
      })
  })
  return {
    pid: pty.pid,
    startedAt,
    bytes: () => bytes,
    write: (keys) => pty.write(keys),
    async until(matches, since, limit) {
      while (monotonic() - since < limit) {
        if (changed) {
          changed = false
          await written
          const { active } = emulator.terminal.buffer
          const rows = Array.from({ length: size.rows }, (_, y) => active.getLine(active.baseY + y))
          if (matches(rows.map((row) => row?.translateToString(true) ?? "").join("\n"))) return monotonic() - since
        }
        await sleep(0.5)
      }
      return null
    },
    end() {
      for (const pid of treeOf(pty.pid).toReversed()) killDescendant(pid)
      rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
const cpuOf = (pid: number): number => sum(treeOf(pid).map(cpuMs))

type Results = Record<
  "paint" | "request" | "idleMemory" | "idleCpu" | "idleBytes" | "streamCpu" | "streamBytes" | "echo50" | "echo99",
  number[]
>

const WAIT_MS = 30_000
/** A stream takes most of a minute. */
const STREAMS = 3
const IDLE_MS = 10_000

async function measure(agent: ScreenAgent, results: Results, isFirst: boolean): Promise<void> {
  reply = shortReply
  server.begin([])
  const session = open(agent)
  try {
    session.write("hello\r")
    const paint = await session.until((screen) => agent.input.test(screen), session.startedAt, WAIT_MS)
    if (agent.losesInput) session.write("hello")
    // Most take an early Enter for a part of a paste.
    for (let left = 100; left > 0 && server.requests.length === 0; left--) {
      if (left < 100) session.write("\r")
      await sleep(100)
    }
    const request = server.requests[0]?.at
    if (isFirst) return
    if (paint !== null) results.paint.push(paint)
    if (request !== undefined) results.request.push(request - session.startedAt)
  } finally {
    session.end()
  }
  if (results.paint.length <= STREAMS) await stream(agent, results)
}

async function stream(agent: ScreenAgent, results: Results): Promise<void> {
  const session = open(agent)
  try {
    await session.until((screen) => agent.input.test(screen), session.startedAt, WAIT_MS)
    await sleep(3_000)
    const idle = { cpu: cpuOf(session.pid), bytes: session.bytes() }
    await sleep(IDLE_MS)
    results.idleCpu.push(cpuOf(session.pid) - idle.cpu)
    results.idleBytes.push(session.bytes() - idle.bytes)
    results.idleMemory.push(sum(treeOf(session.pid).map(pssOf)) / 1e6)
    reply = longReply
    server.begin([])
    const before = { cpu: cpuOf(session.pid), bytes: session.bytes() }
    await send(session, "go")
    for (let left = 1_200; left > 0 && !server.requests.some(isStreamed); left--) await sleep(25)
    await sleep(500)
    results.streamCpu.push((cpuOf(session.pid) - before.cpu) / 1_000)
    results.streamBytes.push((session.bytes() - before.bytes) / 1e6)
    server.begin([])
    await send(session, "again")
    await sleep(1_500)
    const echoes = await typed(session)
    if (echoes.length > 0) {
      results.echo50.push(percentile(echoes, 50))
      results.echo99.push(percentile(echoes, 99))
    }
  } finally {
    session.end()
  }
}

/** The long reply has ended. */
function isStreamed({ at, endedAt }: { readonly at: number; readonly endedAt: number | null }): boolean {
  return endedAt !== null && endedAt - at > 5_000
}

/** Enter comes later than the text, which some agents take for a paste otherwise. */
async function send(session: Session, text: string): Promise<void> {
  session.write(text)
  await sleep(300)
  session.write("\r")
}

/** No part of 30 keys is in it twice. */
const typedKeys = Array.from({ length: 40 }, (_, at) => at + 100).join("")

/** Milliseconds from a key to the screen, a key each 50 ms while a reply streams. */
async function typed(session: Session): Promise<readonly number[]> {
  const times: number[] = []
  let text = ""
  for (let at = 0; at < 100; at++) {
    text += typedKeys[at] ?? ""
    const since = monotonic()
    session.write(text.at(-1) ?? "")
    const end = text.slice(-30)
    const time = await session.until((screen) => screen.replaceAll(/[\s│|]/g, "").includes(end), since, 2_000)
    if (time === null) return times.length > 20 ? times : []
    times.push(time)
    await sleep(Math.max(0, 50 - time))
  }
  return times
}

const wanted = values.only?.split(",") ?? Object.keys(agents)
const rows = Object.entries(agents).filter(([name]) => wanted.includes(name))
const all = new Map<string, Results>()
for (let at = 0; at <= Number(values.n); at++)
  for (const [name, agent] of rows) {
    const results = all.get(name) ?? {
      paint: [],
      request: [],
      idleMemory: [],
      idleCpu: [],
      idleBytes: [],
      streamCpu: [],
      streamBytes: [],
      echo50: [],
      echo99: [],
    }
    all.set(name, results)
    await measure(agent, results, at === 0)
  }
await server.close()
rmSync(folder, { recursive: true, force: true })
const shown = (numbers: readonly number[], digits: number): string =>
  numbers.length === 0 ? "-" : median(numbers).toFixed(digits)
for (const [name, r] of all)
  console.log(
    [
      name.padEnd(9),
      `first paint ${shown(r.paint, 0)} ms`,
      `first request ${shown(r.request, 0)} ms`,
      `idle ${shown(r.idleMemory, 0)} MB ${shown(r.idleCpu, 0)} ms ${shown(r.idleBytes, 0)} B`,
      `stream ${shown(r.streamCpu, 2)} s ${shown(r.streamBytes, 2)} MB`,
      `echo ${shown(r.echo50, 1)} / ${shown(r.echo99, 1)} ms`,
    ].join("  "),
  )
