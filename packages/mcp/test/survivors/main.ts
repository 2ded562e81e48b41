// `npm run test:mcp -- survivors`: 100 sessions of one process share one server, and none is left after they were closed, or
// after the process was killed.
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const server = fileURLToPath(import.meta.resolve("@gong/testing/mcp/stdio-server.mjs"))
const host = fileURLToPath(new URL("host.ts", import.meta.url))
const root = mkdtempSync(join(tmpdir(), "gong-survivors-"))
let failures = 0

function check(what: string, isRight: boolean): void {
  failures += isRight ? 0 : 1
  process.stdout.write(`${isRight ? "ok  " : "FAIL"} ${what}\n`)
}

/** The pids of the servers that were started in a folder. */
function started(folder: string): readonly number[] {
  const log = join(folder, "cwd", "offer.json.log")
  if (!existsSync(log)) return []
  const lines = readFileSync(log, "utf8").trim().split("\n")
  return lines.flatMap((line) => {
    const { started: pid } = JSON.parse(line) as { readonly started?: number }
    return pid === undefined ? [] : [pid]
  })
}

function isAlive(folder: string): boolean {
  // The pid of a sandboxed server is that of its own namespace, so its command line is looked for.
  const found = new RegExp(`stdio-server\\.mjs\0${join(folder, "cwd", "offer.json").replaceAll(".", "\\.")}`)
  for (const pid of listProcesses()) {
    try {
      if (found.test(readFileSync(`/proc/${pid}/cmdline`, "latin1"))) return true
    } catch {
      // It has ended.
    }
  }
  return false
}

function listProcesses(): readonly string[] {
  return process
    .getBuiltinModule("node:fs")
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
}

function begin(name: string, sandbox: boolean, end: string): { readonly folder: string; readonly child: ChildProcess } {
  const folder = join(root, name)
  const home = join(folder, "home")
  const cwd = join(folder, "cwd")
  for (const one of [home, cwd]) mkdirSync(one, { recursive: true })
  // The sandbox permits writing in the workspace.
  const offer = join(cwd, "offer.json")
  const add = { name: "add", description: "Add.", inputSchema: { type: "object", properties: {} } }
  writeFileSync(offer, JSON.stringify({ tools: [add] }))
  const entry = { command: process.execPath, args: [server, offer], ...(sandbox ? {} : { sandbox: false }) }
  writeFileSync(join(home, "mcp.json"), JSON.stringify({ mcpServers: { math: entry } }))
  const env = { ...process.env, GONG_HOME: home, HOME: folder }
  return { folder, child: spawn(process.execPath, [host, cwd, end], { env, stdio: ["ignore", "pipe", "inherit"] }) }
}

async function outputOf(child: ChildProcess, wanted: RegExp): Promise<string> {
  let text = ""
  child.stdout?.on("data", (bytes: Buffer) => (text += String(bytes)))
  const deadline = Date.now() + 60_000
  while (!wanted.test(text) && child.exitCode === null && Date.now() < deadline) await sleep(20)
  return text
}

async function goneAfter(folder: string, ms: number): Promise<boolean> {
  for (const deadline = Date.now() + ms; Date.now() < deadline;) {
    if (!isAlive(folder)) return true
    await sleep(50)
  }
  return !isAlive(folder)
}

for (const sandbox of [false, true]) {
  const where = sandbox ? "in the sandbox" : "without the sandbox"
  const closed = begin(`closed-${sandbox}`, sandbox, "close")
  check(`99 sessions are answered, ${where}`, /^99$/m.test(await outputOf(closed.child, /closed/)))
  check(`they share one server, ${where}`, started(closed.folder).length === 1)
  check(`none is left after they were closed, ${where}`, await goneAfter(closed.folder, 2_000))
  closed.child.kill("SIGKILL")

  const killed = begin(`killed-${sandbox}`, sandbox, "wait")
  check(`again 99 are answered, ${where}`, /^99$/m.test(await outputOf(killed.child, /\d/)))
  check(`the server runs, ${where}`, isAlive(killed.folder))
  killed.child.kill("SIGKILL")
  check(`none is left after kill -9, ${where}`, await goneAfter(killed.folder, 3_000))
}
rmSync(root, { recursive: true, force: true })
process.exitCode = failures === 0 ? 0 : 1
