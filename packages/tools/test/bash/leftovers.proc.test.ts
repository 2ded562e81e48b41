import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { test, type TestContext } from "node:test"
import { fileURLToPath } from "node:url"
import type { Host } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { createLocalHost } from "../../src/host/local.ts"
import { createBashTool } from "../../src/index.ts"
import { context } from "../place.ts"
import { eventually, leavings, type Leaving } from "./leftovers.ts"

// Thirty ways to leave a process behind, and the four ways for its agent to end. In a process of its own: it is looked for
// in the whole machine.

const skip = existsSync("/proc/self/stat") ? false : "there is no /proc to look for processes in"
const host = (): Host => createLocalHost({ cwd: "/" })
const agent = fileURLToPath(new URL("agent.ts", import.meta.url))

/** The command goes on after it has left its process. */
const andStays = ({ command }: Leaving) => `${command}\nsleep 1000`

async function allStarted(all: readonly Leaving[]): Promise<void> {
  const started = await eventually(() => all.every((one) => one.alive()))
  assert.ok(started, `not started: ${namesOf(all.filter((one) => !one.alive()))}`)
}

/** New commands, of which nothing is left when the test fails either. */
function leavingsFor(t: TestContext): readonly Leaving[] {
  const all = leavings()
  t.after(() => all.forEach((one) => one.kill()))
  return all
}

/** None is alive but those that shed group, session and mark; and those are, so that the list is true. */
async function onlyThoseThatShed(all: readonly Leaving[]): Promise<void> {
  const kept = all.filter(({ way }) => way.sheds !== true)
  await eventually(() => kept.every((one) => !one.alive()))
  assert.equal(namesOf(all.filter((one) => one.alive())), namesOf(all.filter(({ way }) => way.sheds === true)))
}

function namesOf(all: readonly Leaving[]): string {
  return all.map(({ way }) => way.name).join("; ")
}

test("nothing is left after an abort, whatever way it went", { skip }, async (t) => {
  const tool = createBashTool("/", { host: host() })
  const all = leavingsFor(t)
  const stop = new AbortController()
  t.after(() => stop.abort())
  const runs = all.map((one) => tool.execute("c", { command: andStays(one) }, context({ signal: stop.signal })))
  await allStarted(all)
  stop.abort()
  assert.ok((await Promise.all(runs)).every(({ status }) => status === "aborted"))
  await onlyThoseThatShed(all)
})

test("nothing is left after a timeout, whatever way it went", { skip }, async (t) => {
  const clock = manualClock()
  const here = host()
  t.after(() => here.endJobs())
  const tool = createBashTool("/", { host: here, clock })
  const all = leavingsFor(t)
  const runs = all.map((one) => tool.execute("c", { command: andStays(one), timeout: 7 }, context()))
  await allStarted(all)
  await clock.advance(7_000)
  assert.ok((await Promise.all(runs)).every(({ status }) => status === "timeout"))
  await onlyThoseThatShed(all)
})

test("nothing is left after the end of the session, whatever way it went", { skip }, async (t) => {
  const here = host()
  t.after(() => here.endJobs())
  const tool = createBashTool("/", { host: here })
  const all = leavingsFor(t)
  await Promise.all(all.map(({ command }) => tool.execute("c", { command }, context())))
  await allStarted(all)
  await here.endJobs()
  await onlyThoseThatShed(all)
})

for (const [when, commandOf] of [
  ["commands run", andStays],
  ["commands have ended", ({ command }: Leaving) => command],
] as const)
  test(`nothing is left when the agent is killed while ${when}, whatever way it went`, { skip }, async (t) => {
    const all = leavingsFor(t)
    const child = spawn(process.execPath, [agent, JSON.stringify(all.map(commandOf))], { stdio: "ignore" })
    t.after(() => child.kill("SIGKILL"))
    await allStarted(all)
    child.kill("SIGKILL")
    await onlyThoseThatShed(all)
  })
