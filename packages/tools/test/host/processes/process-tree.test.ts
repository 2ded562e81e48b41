import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { once } from "node:events"
import { test, type TestContext } from "node:test"
import { sleeper } from "@gong/testing/processes"
import { createLocalHost } from "../../../src/host/local.ts"
import { createForkServer } from "../../../src/host/fork-server/fork-server.ts"
import { createSpawnQueue } from "../../../src/host/processes/spawn-queue.ts"
import { sharedProcessList } from "../../../src/host/processes/process-list.ts"
import { ownedSessions } from "../../../src/host/processes/process-tree.ts"
import { watchdogCommand } from "../../../src/host/processes/watchdog.ts"
import { eventually } from "../../bash/leftovers.ts"

const skip = existsSync("/proc/self/stat") ? false : "there is no /proc to look for processes in"

test("a session id belongs to a command while it runs, and afterwards while a member is older than its exit", () => {
  const running = [{ session: 7, endedAt: null }]
  const ended = [{ session: 7, endedAt: 100 }]
  const older = { session: 7, start: 90 }
  const younger = { session: 7, start: 200 }
  assert.deepEqual([...ownedSessions([younger], running)], [7])
  assert.deepEqual([...ownedSessions([older, younger], ended)], [7])
  assert.deepEqual([...ownedSessions([younger], ended)], [], "the number may have gone to a stranger")
  assert.deepEqual([...ownedSessions([{ session: 8, start: 90 }], ended)], [])
})

/** A foreign process: a session of its own, with the mark of another Gong. */
async function stranger(t: TestContext) {
  const env = { ...process.env, GONG: "1", GONG_JOB: "1-abc-def.1.1" }
  const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore", env })
  t.after(() => child.kill("SIGKILL"))
  await once(child, "spawn")
  const pid = child.pid ?? 0
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return { child, pid, start: Number(fields[19]), ended: once(child, "exit") }
}

test("processes of another Gong are not killed", { skip }, async (t) => {
  const theirs = await stranger(t)
  const host = createLocalHost({ cwd: "/" })
  const options = { cwd: "/", signal: new AbortController().signal, onData() {} }
  const ours = sleeper()
  t.after(() => ours.kill())
  await host.exec(`setsid ${ours.command} >&- 2>&- &`, { ...options, job: "1" })
  await eventually(ours.alive)
  await host.endJobs()
  assert.equal(ours.alive(), false, "ours has ended")
  assert.equal(theirs.child.exitCode ?? theirs.child.signalCode, null)
})

const fork = createForkServer()
for (const [name, more] of [
  ["started here", {}],
  [
    "started by the fork server",
    { spawns: async () => ({ queue: createSpawnQueue(4), join: () => undefined, server: () => fork }) },
  ],
] as const)
  test(`a kept job continues, and all others are killed: ${name}`, { skip }, async (t) => {
    const host = createLocalHost({ cwd: "/", ...more })
    const jobs = [sleeper(), sleeper()]
    t.after(() => jobs.forEach((one) => one.kill()))
    const options = { cwd: "/", signal: new AbortController().signal, onData() {} }
    for (const [at, one] of jobs.entries()) {
      await host.exec(`setsid ${one.command} >&- 2>&- &`, { ...options, job: String(at + 1) })
      await eventually(one.alive)
    }
    await host.endJobs(["2"])
    assert.deepEqual(
      jobs.map((one) => one.alive()),
      [false, true],
    )
  })

test("the watchdog spares a session whose id was reused", { skip }, async (t) => {
  const theirs = await stranger(t)
  const ours = await stranger(t)
  const [shell = "", ...args] = watchdogCommand(`test-${process.pid}`)
  const watchdog = spawn(shell, args, { stdio: ["pipe", "ignore", "ignore"] })
  const gone = once(watchdog, "exit")
  for (const { pid } of [theirs, ours]) watchdog.stdin.write(`+ ${pid}\n`)
  watchdog.stdin.write(`- ${theirs.pid} ${theirs.start - 1}\n- ${ours.pid} ${ours.start}\n`)
  watchdog.stdin.end()
  await ours.ended
  await gone
  assert.equal(theirs.child.exitCode ?? theirs.child.signalCode, null)
})

test("a dismissed watchdog kills nothing", { skip }, async (t) => {
  const theirs = await stranger(t)
  const [shell = "", ...args] = watchdogCommand(`test-${process.pid}`)
  const watchdog = spawn(shell, args, { stdio: ["pipe", "ignore", "ignore"] })
  watchdog.stdin.end(`+ ${theirs.pid}\nq\n`)
  await once(watchdog, "exit")
  assert.equal(theirs.child.exitCode ?? theirs.child.signalCode, null)
})

test("all that ask in one turn of the event loop share a list of processes", { skip }, async () => {
  const [first, second] = await Promise.all([sharedProcessList(), sharedProcessList()])
  assert.equal(first, second)
  assert.ok(first?.some(({ pid }) => pid === process.pid))
  assert.notEqual(await sharedProcessList(), first)
})
