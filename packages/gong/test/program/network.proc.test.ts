import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { test, type TestContext } from "node:test"
import { textOf } from "@gong/spec"
import type { Turn } from "@gong/testing/model-server"
import { startHttpProxy } from "@gong/testing/proxies"
import { eventsOf, ofType, openStage, type Stage } from "./harness.ts"

const bwrap = "/usr/bin/bwrap"
const skip = whyNot()

function whyNot(): string | false {
  const tried = spawnSync(bwrap, ["--ro-bind", "/", "/", "--unshare-net", "--proc", "/proc", "--", bwrap, "--version"])
  return tried.status === 0 && existsSync("/usr/bin/nsenter") ? false : "no network of its own works on this machine"
}

const done: Turn = { text: "done" }
const env = { GONG_SANDBOX: undefined }

async function server(t: TestContext, answer: string): Promise<number> {
  const listening = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.end(answer)
  }).listen(0, "127.0.0.1")
  await once(listening, "listening")
  t.after(() => listening.close())
  return (listening.address() as AddressInfo).port
}

async function texts(stage: Stage, args: readonly string[], commands: readonly string[], more = {}) {
  const calls = commands.map((command) => ({ name: "bash", args: { command } }))
  stage.server.begin([{ calls }, done])
  const run = await stage.gong(["--output", "events", ...args, "go"], { env: { ...env, ...more } })
  const events = eventsOf(run)
  return { session: ofType(events, "session")[0], texts: ofType(events, "tool_execution_end").map(textOf) }
}

test("--network hosts is shown in the summary line, and needs a sandbox", { skip }, async (t) => {
  const stage = await openStage(t)
  const line = async (...args: readonly string[]) => {
    stage.server.begin([done])
    return (await stage.gong(["-p", ...args, "hi"], { env })).err
  }
  assert.match(await line("--network", "hosts"), / · auto · sandbox: files, network by host\n/)
  assert.match(await line("--yolo", "--network", "hosts"), / · full · sandbox: files, network by host\n/)
  assert.match(
    await line("--permission", "plan", "--network", "hosts"),
    / · plan · sandbox: read-only, network by host\n/,
  )
  assert.match(await line(), / · auto · sandbox: files, network open\n/)
  const off = await stage.gong(["-p", "--sandbox", "off", "--network", "hosts", "hi"], { env })
  assert.deepEqual([off.status, off.err], [2, "gong: --network hosts needs a sandbox: leave out --sandbox off.\n"])
})

test(
  "headless a host without a rule is refused with the rule that would permit it; local services are reachable",
  { skip },
  async (t) => {
    const stage = await openStage(t)
    const port = await server(t, "served")
    const commands = [
      "getent hosts other.example.com",
      `cat </dev/tcp/127.0.0.1/${port}`,
      "getent hosts registry.npmjs.org",
    ]
    const { session, texts: printed } = await texts(stage, ["--network", "hosts"], commands)
    assert.deepEqual(session?.sandbox, { mode: "workspace", enforced: ["files", "processes", "hosts"] })
    assert.match(
      printed[0] ?? "",
      /\[network: other\.example\.com was refused: .*--allow "network\(other\.example\.com\)"/,
    )
    assert.match(printed[1] ?? "", /^served/)
    assert.match(printed[2] ?? "", /^127\.64\.0\.1 +registry\.npmjs\.org/)
  },
)

test("a permitted host is reached through the user's proxy, at the port of the rule", { skip }, async (t) => {
  const stage = await openStage(t)
  const port = await server(t, "reached")
  const proxy = await startHttpProxy()
  t.after(() => proxy.close())
  const command = `cat </dev/tcp/model.test/${port}`
  const rule = `network(model.test:${port})`
  const more = { HTTPS_PROXY: proxy.url, NO_PROXY: "127.0.0.1" }
  const open = await texts(stage, ["--network", "hosts", "--allow", rule], [command], more)
  assert.match(open.texts[0] ?? "", /^reached/)
  assert.deepEqual(proxy.asked, [`model.test:${port}`])
  const closed = await texts(stage, ["--network", "hosts"], [command], more)
  assert.doesNotMatch(closed.texts[0] ?? "", /reached/)
  assert.equal(proxy.asked.length, 1)
})

test("the network process ends with Gong, also when Gong is killed", { skip }, async (t) => {
  const stage = await openStage(t)
  const calls = [{ name: "bash", args: { command: "echo begun; sleep 1000" } }]
  stage.server.begin([{ calls }])
  const live = stage.start(["--output", "events", "--network", "hosts", "go"], { env })
  await live.event("tool_execution_start")
  const holders = () => descendants(live.child.pid ?? 0).filter(isHolder)
  const soon = () => new Promise((resolve) => setTimeout(resolve, 10))
  while (holders().length === 0) await soon()
  const found = holders()
  live.child.kill("SIGKILL")
  await live.ended
  while (found.some(isHolder)) await soon()
})

/** Processes that came of one, by /proc. */
function descendants(root: number): readonly number[] {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(Number(name))]),
  )
  const comes = (pid: number): boolean => pid === root || (pid > 1 && comes(parents.get(pid) ?? 0))
  return [...parents.keys()].filter((pid) => pid !== root && comes(pid))
}

/** From the sources, and from the bundle. */
function isHolder(pid: number): boolean {
  return /\/(?:gateway\/namespace\/holder\.ts|dist\/holder\.cjs)/.test(commandOf(pid))
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll("\0", " ")
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
