import {
  type Entry,
  failureOf,
  type Host,
  type Jobs,
  type Model,
  type Provider,
  type PublishedStep,
  syncTime,
  type Tool,
} from "@gong/spec"
import { openProvider } from "@gong/llm"
import { createTape, type Tape } from "@gong/tape"
import { createStore, type FileStore, openStore, type StorePorts } from "@gong/tape/file"
import { createAllTools, createJobs, type JobTable } from "@gong/tools"
import { loadPrompt } from "../../src/session/prompt-state.ts"
import { repair } from "../../src/session/repair.ts"
import { createSession, type Session } from "../../src/session/session.ts"
import { checkCalls, checkInputs, follow } from "./checks.ts"
import { secret } from "./model.ts"
import { plants, type Plant } from "./plants.ts"
import { type SimProcess, simProcess } from "./process.ts"
import { holds, same } from "./violation.ts"
import type { SimWorld } from "./world.ts"

/** One process with the real session in it. */
export interface Life {
  readonly process: SimProcess
  readonly tape: Tape
  readonly session: Session
  readonly followed: ReturnType<typeof follow>
  /** Tools that run now. */
  readonly running: Set<string>
  /** Commands that took too long to be waited for. */
  readonly jobs: Jobs
}

const path = "/sessions/sim"

/** Starts Gong in this world: opens the session or makes it, checks what the last process left, repairs, wires all parts. */
export async function begin(world: SimWorld, plant: Plant | null): Promise<Life> {
  const process = simProcess(world.clock)
  world.process = process
  world.retries.restart()
  world.trouble = null
  world.arm()
  const pid = ++world.counts.processes
  const { clock } = process
  const machine = machineOf(pid)
  const ports: StorePorts = { disk: process.disk(world.disk), clock, ids: world.ids, machine }
  const { tape, lastPrompt } = await openTape(world, ports, plant)
  const running = new Set<string>()
  const jobs = createJobs()
  const tools = toolsOf(world, process, tape, { running, jobs })
  const session = createSession({
    tape,
    provider: await providerOf(world, process),
    thinking: "low",
    tools: () => tools,
    prompt: { build: (active) => `You are simulated. Tools: ${active.map(({ name }) => name).join(", ")}` },
    lastPrompt,
    hooks: [],
    policy: { decide: async () => decisionOf(world), remember: () => undefined },
    confirm: async (_, signal) => {
      await clock.sleep(world.plan.model.int(60_000), signal).catch(() => undefined)
      return { choice: signal.aborted || world.plan.model.chance(0.3) ? "no" : "once" }
    },
    redact: (text) => text.replaceAll(secret, "[redacted]"),
    limits: { maxTurns: 40 },
    strict: false,
    writeGuard: true,
    toolExecution: world.plan.toolExecution,
    watch: null,
    retry: { count: 3, baseMs: 1000, random: () => world.plan.model.next() },
    clock,
    ids: world.ids,
  })
  const life: Life = { process, tape, session, followed: follow(tape), running, jobs }
  session.subscribe((step) => watch(world, life, step, tools))
  return life
}

async function openTape(world: SimWorld, ports: StorePorts, plant: Plant | null) {
  const isThere = ports.disk.stat(`${path}/tape.json`) !== null
  const { process } = world
  const given = await openStoreOf(world, ports, isThere)
  const tape = createTape(plant === null ? given : plants[plant](given), ports)
  if (process?.alive === true) {
    world.journal.check(isThere ? tape.entriesOfBranch() : [], world.powerWasCut)
    world.powerWasCut = false
    checkEffects(world, tape)
  }
  const { calls, unsent } = repair(tape)
  if (process?.alive !== true) throw new Error("the process ended while it opened the session")
  const entries = tape.entriesOfBranch()
  checkCalls(entries)
  checkInputs(entries, new Map())
  same(repair(tape), { calls: 0, unsent: [] }, "a second repair")
  // What a killed process had written and not synced is only as sure as before, unless the repair wrote behind it.
  world.journal.published(entries, { written: true, synced: calls + unsent.length > 0 })
  return { tape, lastPrompt: isThere ? await loadPrompt(tape) : null }
}

async function openStoreOf(world: SimWorld, ports: StorePorts, isThere: boolean): Promise<FileStore> {
  const store = tryOpen(ports, isThere)
  if (store !== null) return store
  // A lock that its maker did not live to fill in is taken over when it is 30 s old.
  await world.clock.advance(31_000)
  const again = tryOpen(ports, isThere)
  holds(again !== null, () => "the session of a dead process cannot be written by the next one")
  return again
}

/** Null when somebody else seems to have it. */
function tryOpen(ports: StorePorts, isThere: boolean): FileStore | null {
  try {
    const store = isThere
      ? openStore(ports, { path })
      : createStore(ports, { sessions: "/sessions", id: "sim", cwd: "/work", workspace: "/work" })
    if (store.readOnly === null) return store
    store.close()
    return null
  } catch (error) {
    if (failureOf(error).message.includes("open in another gong")) return null
    throw error
  }
}

/** What happened to the world has its start on the tape, and happened once. */
function checkEffects(world: SimWorld, tape: Tape): void {
  const started = new Set(tape.entriesOfBranch().flatMap((entry) => (entry.type === "tool_start" ? entry.callId : [])))
  for (const { callId, what } of world.effects) {
    holds(started.has(callId), () => `"${what}" happened, and the tape knows no start of call ${callId}`)
  }
}

/** Processes of all worlds so far. */
let places = 0

function toolsOf(
  world: SimWorld,
  process: SimProcess,
  tape: Tape,
  { running, jobs }: { readonly running: Set<string>; readonly jobs: JobTable },
): readonly Tool[] {
  // A file that a dead process held must not wait for it: every process has a place of its own name.
  const host: Host = { ...process.host(watchedHost(world, tape)), id: `sim-${++places}` }
  const all = createAllTools("/work", { host, clock: process.clock, bash: { jobs } })
  return [all.read, all.write, all.edit, all.bash, all.ls].map((tool) => watchedTool(world, process, tool, running))
}

/** Whoever changes things runs alone. */
function watchedTool(world: SimWorld, process: SimProcess, tool: Tool, running: Set<string>): Tool {
  return {
    ...tool,
    async execute(callId, args, context) {
      if (!process.alive) return new Promise(() => {})
      witness(
        world,
        world.writer === null,
        () => `${callId} (${tool.name}) runs beside ${world.writer}, which changes things`,
      )
      witness(world, tool.readOnly || running.size === 0, () => `${callId} (${tool.name}) does not run alone`)
      witness(world, running.size < 4, () => `${callId} is the fifth call at once`)
      running.add(callId)
      if (!tool.readOnly) world.writer = callId
      try {
        return await tool.execute(callId, args, context)
      } finally {
        running.delete(callId)
        if (!tool.readOnly) world.writer = null
      }
    },
  }
}

function watchedHost(world: SimWorld, tape: Tape): Host {
  const { host } = world
  return {
    ...host,
    replaceFile(file, bytes, options) {
      effect(world, tape, `write ${file}`)
      return host.replaceFile(file, bytes, options)
    },
    exec(command, options) {
      effect(world, tape, String(command))
      return host.exec(command, options)
    },
  }
}

function effect(world: SimWorld, tape: Tape, what: string): void {
  if (tape.stalled === null) world.journal.flushed()
  const callId = world.writer ?? "no call"
  const start = world.journal.startOf(callId)
  const durable = start !== undefined && world.journal.isDurable(start)
  witness(world, durable, () => `"${what}" of ${callId} happened before its start was durable`)
  witness(world, !world.effects.some((one) => one.callId === callId), () => `${callId} took effect twice: ${what}`)
  if (what.startsWith("write ")) checkChange(world, tape, callId)
  world.effects.push({ callId, what })
  world.trace(what)
  world.tick("effect")
}

function checkChange(world: SimWorld, tape: Tape, callId: string): void {
  const change = tape.entriesOfBranch().findLast((entry) => entry.type === "change" && entry.callId === callId)
  const durable = change !== undefined && world.journal.isDurable(change.id)
  witness(world, durable, () => `${callId} changed a file before the change was durable`)
}

function watch(world: SimWorld, life: Life, step: PublishedStep, tools: readonly Tool[]): void {
  if (!life.process.alive) return
  world.counts.steps += 1
  world.trace(step)
  if ("entries" in step) {
    const readOnly = (name: string): boolean => tools.find((tool) => tool.name === name)?.readOnly === true
    const synced = step.entries.some((entry) => syncTime(entry, readOnly) === "before")
    world.journal.published(step.entries, { written: life.tape.stalled === null, synced })
    checkTimes(world, step.entries)
  }
  for (const what of world.retries.seen(step)) witness(world, false, () => what)
  world.tick("step")
}

function checkTimes(world: SimWorld, entries: readonly Entry[]): void {
  const now = new Date(world.clock.now()).toISOString()
  const onTime = entries.every(({ timestamp }) => timestamp === now)
  witness(world, onTime, () => `an entry that is shown at ${now} has another time`)
}

/** Tools and listeners may not throw past the code that they watch: what they see is judged where the world is driven. */
function witness(world: SimWorld, condition: boolean, what: () => string): void {
  if (!condition) world.witnessed.push(what())
}

function decisionOf({ plan }: SimWorld) {
  if (plan.model.chance(0.85)) return { verdict: "allow" } as const
  if (plan.model.chance(0.6)) return { verdict: "ask", reason: "the dice want to know" } as const
  return { verdict: "deny", reason: "the dice say no", toModel: "Refused: the dice say no." } as const
}

async function providerOf(world: SimWorld, process: SimProcess): Promise<Provider> {
  const model: Model = {
    provider: "sim",
    id: "m",
    api: world.plan.api,
    baseUrl: "http://model.sim/v1",
    contextWindow: 100_000,
    maxOutput: 8000,
    reasoning: true,
    images: true,
    price: { input: 1, output: 2 },
  }
  const server = process.transport(world.server)
  const transport: typeof server = {
    send(request) {
      world.counts.requests += 1
      if (world.tick("request")) return new Promise(() => {})
      return server.send(request)
    },
  }
  return openProvider(model, { transport, clock: process.clock, credential: { key: "k", from: "sim" } })
}

function machineOf(pid: number): StorePorts["machine"] {
  const startTime = `boot/ns/${pid}`
  return { pid, host: "sim", startTime, startTimeOf: (other) => (other === pid ? startTime : null) }
}
