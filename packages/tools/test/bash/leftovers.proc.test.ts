import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync } from "node:fs"
import { test, type TestContext } from "node:test"
import { fileURLToPath } from "node:url"
import { manualClock } from "@gong/testing/sim/clock"
import type { BashOptions } from "../../src/index.ts"
import { noSandbox } from "../host/sandbox/sandbox-fixture.ts"
import { context, place } from "../workspace.ts"
import { agentTool } from "./agent-host.ts"
import { eventually, leavings, type Leaving } from "./leftovers.ts"

// Thirty ways for a process to detach, and four ways for its agent to end, without and with a sandbox. Runs in its own
// process, since it searches all processes of the machine.

const noProc = existsSync("/proc/self/stat") ? false : "there is no /proc to look for processes in"
const agent = fileURLToPath(new URL("agent.ts", import.meta.url))

/** The command continues after its process has detached. */
const andStays = ({ command }: Leaving) => `${command}\nsleep 1000`

const places = { plain: "without a sandbox", sandbox: "in a sandbox" } as const

for (const how of ["plain", "sandbox"] as const) {
  const skip = noProc || (how !== "plain" && noSandbox)
  const where = places[how]

  test(`${where} no process remains after an abort, however it detached`, { skip }, async (t) => {
    const { tool, all } = stage(t)
    const stop = new AbortController()
    t.after(() => stop.abort())
    const runs = all.map((one) => tool.execute("c", { command: andStays(one) }, context({ signal: stop.signal })))
    await allStarted(all)
    stop.abort()
    assert.ok((await Promise.all(runs)).every(({ status }) => status === "aborted"))
    await nothingIsLeft(all)
  })

  test(`${where} no process remains after a timeout, however it detached`, { skip }, async (t) => {
    const clock = manualClock()
    const { tool, all } = stage(t, { clock })
    const runs = all.map((one) => tool.execute("c", { command: andStays(one), timeout: 7 }, context()))
    await allStarted(all)
    await clock.advance(7_000)
    assert.ok((await Promise.all(runs)).every(({ status }) => status === "timeout"))
    await nothingIsLeft(all)
  })

  test(`${where} no process remains after the end of the session, however it detached`, { skip }, async (t) => {
    const { tool, all, host } = stage(t)
    await Promise.all(all.map(({ command }) => tool.execute("c", { command }, context())))
    // A sandbox ends with its command, so nothing remains already.
    if (how === "plain") await allStarted(all)
    await host.endJobs()
    await nothingIsLeft(all)
  })

  test(`${where} no process remains if the agent is killed while commands run`, { skip }, async (t) => {
    const { all, startAgent } = stage(t)
    const child = startAgent(andStays)
    await allStarted(all)
    child.kill("SIGKILL")
    await nothingIsLeft(all)
  })

  test(`${where} no process remains if the agent is killed after commands have ended`, { skip }, async (t) => {
    const { all, startAgent } = stage(t)
    const child = startAgent(({ command }) => command)
    await once(child.stdout, "data")
    if (how === "plain") await allStarted(all)
    child.kill("SIGKILL")
    await nothingIsLeft(all)
  })

  /** A tool on this host. Its leftovers are killed even if the test fails. */
  function stage(t: TestContext, options: BashOptions = {}) {
    const here = place(t)
    mkdirSync(here.at("blank"))
    const { host, tool } = agentTool(how, here.cwd, options)
    const all = leavings()
    t.after(async () => {
      await host.endJobs()
      for (const one of all) one.kill()
    })
    const startAgent = (commandOf: (one: Leaving) => string) => {
      const args = [agent, how, here.cwd, JSON.stringify(all.map(commandOf))]
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
      t.after(() => child.kill("SIGKILL"))
      return child
    }
    return { host, tool, all, startAgent }
  }

  /**
   * Without a sandbox only processes that left group, session and mark survive. They must survive, or the list would be
   * outdated.
   */
  async function nothingIsLeft(all: readonly Leaving[]): Promise<void> {
    const free = how !== "plain" ? [] : all.filter(({ way }) => way.sheds === true)
    await eventually(() => all.every((one) => free.includes(one) || !one.alive()))
    assert.equal(namesOf(all.filter((one) => one.alive())), namesOf(free))
  }
}

async function allStarted(all: readonly Leaving[]): Promise<void> {
  const started = await eventually(() => all.every((one) => one.alive()))
  assert.ok(started, `not started: ${namesOf(all.filter((one) => !one.alive()))}`)
}

function namesOf(all: readonly Leaving[]): string {
  return all.map(({ way }) => way.name).join("; ")
}
