import { readFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises"
import { type OpenedSession, openSession } from "../../../packages/app/src/compose/open-session.ts"
import { processServices } from "../../../packages/app/src/process-services.ts"
import { tuneForSession } from "../../../packages/gong/src/tune.ts"
import { turns } from "./work.ts"

/** The order for the process: its only argument, in JSON. */
export interface HostOrder {
  /** Of the model; each session asks below a path of its own. */
  readonly url: string
  /** Session n works in the folder n modulo their number. */
  readonly workspaces: readonly string[]
  readonly sessions: number
  /** Milliseconds over which the starts are spread; null: the sessions are opened, stay idle and are closed. */
  readonly spread: number | null
}

/** Its only line of output. Times in milliseconds, memory in bytes. */
export interface HostReport {
  readonly errors: readonly string[]
  readonly wall: number
  /** Processor time of the process alone, without the commands that it started. */
  readonly cpu: number
  /** By how much the event loop was late while the sessions worked. */
  readonly p50: number
  readonly p99: number
  readonly worst: number
  /** Largest resident set. */
  readonly peak: number
  /** Proportional set size that each idle session added. */
  readonly perSession: number
  readonly closing: number
  /** Longest time for which closing blocked the event loop. */
  readonly closingBlock: number
}

const order = JSON.parse(process.argv[2] ?? "") as HostOrder
const services = processServices({ version: "bench", warn: (line) => console.error(line) })
const errors: string[] = []
/** Milliseconds between two samples of the event loop. */
const resolution = 10

/** Opens one session, as `gong rpc` opens another one. */
async function open(session: number): Promise<OpenedSession> {
  const cwd = order.workspaces[session % order.workspaces.length] ?? ""
  const baseUrl = `${order.url}/${session}/v1`
  const model = { api: "openai-completions", baseUrl, apiKey: "k", model: "m" } as const
  // On a busy machine, too, the change detector is to do all of its work.
  const set = ["undo.lookTime=10"]
  const spec = { cwd, permission: "full", interactive: true, set, ...model } as const
  const built = await openSession(spec, services)
  if (!built.ok) throw new Error(built.error.lines.join(" "))
  return built.value
}

/** One prompt, with its events as lines for a client. */
async function work(app: OpenedSession): Promise<void> {
  let bytes = 0
  let calls = 0
  const stream = app.session.events({ after: null, partial: true, wake: () => pump() })
  const pump = (): void => {
    for (let events = stream.next(); events !== null; events = stream.next())
      for (const event of events) {
        bytes += JSON.stringify(event).length
        if (event.type === "tool_execution_end") calls += 1
        if (event.type === "tool_execution_end" && event.status !== "ok") errors.push(JSON.stringify(event))
        // Changes missed by the change detector cannot be undone.
        if (event.type === "notice" && event.code === "undo") errors.push(JSON.stringify(event))
      }
  }
  const end = await app.session.prompt("do the work", { images: [] })
  pump()
  stream.close()
  if (end.status !== "done" || bytes === 0 || calls !== turns)
    errors.push(`${end.status} after ${calls} calls: ${end.failure?.message ?? ""}`)
  await app.catchUp()
}

async function run(): Promise<HostReport> {
  // Code loaded and compiled by the first session is not measured.
  const first = await open(order.sessions)
  await work(first)
  await first.shutdown()
  // As the program does at its first reply.
  tuneForSession()
  const before = settledMemory()
  const delay = monitorEventLoopDelay({ resolution })
  const began = performance.now()
  const cpu = process.cpuUsage()
  const apps = order.spread === null ? await opened() : await worked(order.spread, delay)
  const wall = performance.now() - began
  const { user, system } = process.cpuUsage(cpu)
  const perSession = (settledMemory() - before) / order.sessions
  const closed = await close(apps)
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution)
  const [p50, p99, worst] = [late(delay.percentile(50)), late(delay.percentile(99)), late(delay.max)]
  return {
    errors,
    wall,
    cpu: (user + system) / 1000,
    p50,
    p99,
    worst,
    perSession,
    ...closed,
    peak: process.resourceUsage().maxRSS * 1024,
  }
}

async function opened(): Promise<readonly OpenedSession[]> {
  const apps: OpenedSession[] = []
  for (let session = 0; session < order.sessions; session++) apps.push(await open(session))
  return apps
}

async function worked(
  spread: number,
  delay: ReturnType<typeof monitorEventLoopDelay>,
): Promise<readonly OpenedSession[]> {
  delay.enable()
  const all = Array.from({ length: order.sessions }, async (_, session) => {
    await sleep((session * spread) / order.sessions)
    const app = await open(session)
    await work(app)
    return app
  })
  const apps = await Promise.allSettled(all)
  delay.disable()
  return apps.flatMap((one) => {
    if (one.status === "fulfilled") return [one.value]
    errors.push(String(one.reason))
    return []
  })
}

async function close(apps: readonly OpenedSession[]) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await sleep(resolution)
  const began = performance.now()
  const left = await Promise.allSettled(apps.map((app) => app.shutdown()))
  const closing = performance.now() - began
  await sleep(resolution)
  delay.disable()
  for (const one of left)
    if (one.status === "rejected" || !one.value.isStored)
      errors.push(`a session was not closed: ${JSON.stringify(one)}`)
  return { closing, closingBlock: delay.max / 1e6 }
}

/** Proportional set size in bytes after a garbage collection. */
function settledMemory(): number {
  for (let round = 0; round < 3; round++) globalThis.gc?.()
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync("/proc/self/smaps_rollup", "latin1"))?.[1]) * 1024
}

const report = await run()
await nextTurn()
process.stdout.write(JSON.stringify(report), () => process.exit(0))
