import type { LiveSettings } from "../../src/deps.ts"
import { type Entry, type Jobs, type Model, type Provider, type PublishedStep, syncTime, type Tool } from "@gong/spec"
import { formatOf, openProvider, type WireFormats } from "@gong/llm"
import type { Tape } from "@gong/tape"
import { createJobs, builtInDeclarations } from "@gong/tools"
import { remake } from "@gong/tools/remake"
import { noTemplates } from "../../src/input/template-expander.ts"
import { createSession, type Session } from "../../src/session.ts"
import { follow } from "./checks.ts"
import { simHooks } from "./hooks.ts"
import { textOf } from "./journal.ts"
import { secret } from "./model.ts"
import { openTape } from "./open.ts"
import { person } from "./person.ts"
import { type Api, apis, nameOfModel } from "./plan.ts"
import type { SimProcess } from "./process.ts"
import { type Readers, readers } from "./readers.ts"
import { simTools } from "./sim-tools.ts"
import { type Surface, surface } from "./surface.ts"
import { witness } from "./violation.ts"
import { type LimitWatch, limitWatch } from "./watch-limits.ts"
import type { SimWorld } from "./world.ts"

/** One process with the real session in it. */
export interface Life {
  readonly process: SimProcess
  readonly tape: Tape
  /** Entries on the tape at the start of the session, including those of the repair. */
  readonly found: number
  readonly session: Session
  readonly followed: ReturnType<typeof follow>
  readonly surface: Surface
  readonly readers: Readers
  /** Entries that it found on a damaged tape: these need not be in order. */
  readonly torn: ReadonlySet<string>
  /** Tools that run now. */
  readonly running: Set<string>
  /** Commands that took too long to be waited for. */
  readonly jobs: Jobs
  /** Opens the model of this wire format. */
  provider(api: Api): Promise<Provider>
}

/** Starts Gong in this world: opens or creates the session, checks the remains of the last process, repairs, and connects all parts. */
export async function begin(world: SimWorld): Promise<Life> {
  const process = world.spawn(world.machine)
  world.process = process
  world.did.processes += 1
  world.retries.restart()
  world.compactions.restart()
  world.fallbacks.restart()
  world.trouble = null
  world.wasFull = false
  // Ids of calls lost in a power cut are reused.
  world.refused.clear()
  world.arm()
  const { plan } = world
  const { tape, lastPrompt } = await openTape(world, process)
  const running = new Set<string>()
  const jobs = createJobs()
  const { tools, bash } = simTools(world, process, { tape, running, jobs })
  const limits = limitWatch(plan.limits, world.count, () => process.stoodStill)
  const provider = (api: Api, place = 0): Promise<Provider> => providerOf(world, process, limits, { api, place })
  const settings: LiveSettings = {
    answerTime: plan.answerTime,
    writeGuard: true,
    retry: { count: 3, baseMs: 1000, random: () => plan.model.next() },
    queue: plan.queue,
    compaction: { auto: true, reserveTokens: 16_384, keepTokens: 20_000, provider: null },
  }
  const session = createSession({
    tape,
    provider: await provider(world.api),
    thinking: "low",
    tools: () => tools,
    declared: builtInDeclarations,
    bash,
    prompt: { build: (active) => `You are simulated. Tools: ${active.map(({ name }) => name).join(", ")}` },
    expander: noTemplates,
    lastPrompt,
    hooks: simHooks(world, process),
    telemetry: null,
    policy: { level: "ask", setLevel: () => {}, decide: async () => decisionOf(world), remember: async () => {} },
    interactive: true,
    redact: (text) => text.replaceAll(secret, "[redacted]"),
    limits: plan.limits,
    strict: plan.strict,
    toolExecution: plan.toolExecution,
    files: { host: async () => process.host(world.host), remake },
    changeDetector: null,
    fallbacks: plan.fallbacks.map((api, at) => ({ thinking: "high", open: () => provider(api, at + 1) })),
    settings: () => settings,
    clock: process.clock,
    ids: world.ids,
  })
  const torn = new Set(tape.store.damage.length === 0 ? [] : tape.entriesOfBranch().map(({ id }) => id))
  const looking = surface(tape)
  const seeing = { followed: follow(tape), surface: looking, readers: readers(world, session, looking.events) }
  const life: Life = { process, tape, found: tape.all.length, session, ...seeing, torn, running, jobs, provider }
  session.subscribe((step) => watch(world, life, step, { tools, limits }))
  session.subscribe(person(world, process, session))
  return life
}

interface Watched {
  readonly tools: readonly Tool[]
  readonly limits: LimitWatch
}

function watch(world: SimWorld, life: Life, step: PublishedStep, { tools, limits }: Watched): void {
  const { process, tape, surface } = life
  if (!process.alive) return
  world.did.steps += 1
  world.trace(traceOf(step))
  const wrong = [...world.retries.seen(step), ...world.fallbacks.seen(step), ...surface.seen(step)]
  if ("entries" in step && !wasTaken(world, life, step.entries)) {
    const readOnly = (name: string): boolean => tools.find((tool) => tool.name === name)?.readOnly === true
    // Entries that waited for disk space are shown whether their sync in the thread pool has ended or not.
    const settled = world.plan.slowestSync === null || !world.wasFull || tape.settled() === null
    const synced = step.entries.some((entry) => syncTime(entry, readOnly) === "before")
    world.journal.published(step.entries, { written: tape.stalled === null, settled, synced })
    wrong.push(...step.entries.flatMap((entry) => [...limits.seen(entry), ...checkEntry(world, life, entry)]))
  }
  world.compactions.seen(step, tape.stalled !== null)
  wrong.push(...life.readers.seen(step))
  for (const what of wrong) witness(world, false, () => what)
  world.tick("step")
}

function traceOf(step: PublishedStep): string {
  return "entries" in step ? `{"entries":[${step.entries.map(textOf).join(",")}]}` : JSON.stringify(step)
}

/**
 * Appended before another process took the session, and shown after that, behind a sync in the thread pool: what is written
 * is the other's to promise, and what waits in memory for a full disk was never promised.
 */
export function wasTaken({ process, second, plan }: SimWorld, life: Life, entries: readonly Entry[]): boolean {
  if (plan.slowestSync === null || life.process === process || second === null) return false
  const { stalled, store } = life.tape
  const waited = ({ id, timestamp }: Entry): boolean =>
    stalled !== null && store.placeOf(id) === undefined && Date.parse(timestamp) < second.openedAt
  return entries.every((entry) => second.tape.has(entry.id) || waited(entry))
}

function checkEntry(world: SimWorld, { process, session, tape }: Life, entry: Entry): readonly string[] {
  const wrong: string[] = []
  const now = new Date(world.clock.now()).toISOString()
  // Unsettled entries are shown later.
  const inTime = world.plan.slowestSync === null ? entry.timestamp === now : entry.timestamp <= now
  if (!inTime) wrong.push(`an entry that is shown at ${now} has the time ${entry.timestamp}`)
  if (process !== world.process) wrong.push(`a process that lost its session shows ${entry.type}`)
  if (entry.type !== "run_end" || entry.status !== "done") return wrong
  // A message during the sync of the end is answered by the next run.
  const placeOf = (id: string): number => tape.store.placeOf(id) ?? Infinity
  const { steer, followUp } = session.waiting
  const forgotten = [...steer, ...followUp].filter(({ id }) => placeOf(id) < placeOf(entry.id))
  if (forgotten.length > 0) wrong.push(`a run is done, and messages wait: ${JSON.stringify(forgotten)}`)
  return wrong
}

function decisionOf({ plan }: SimWorld) {
  if (plan.model.chance(0.85)) return { verdict: "allow" } as const
  if (plan.model.chance(0.6)) return { verdict: "ask", reason: "the dice want to know" } as const
  return { verdict: "deny", reason: "the dice say no", toModel: "Refused: the dice say no." } as const
}

interface Asked {
  readonly api: Api
  /** In the chain: 0 for the chosen one. */
  readonly place: number
}

function providerOf(
  world: SimWorld,
  process: SimProcess,
  limits: LimitWatch,
  { api, place }: Asked,
): Promise<Provider> {
  const model: Model = {
    provider: nameOfModel(place),
    id: `m-${api}`,
    api,
    baseUrl: "http://model.sim/v1",
    contextWindow: world.plan.window,
    maxOutput: 8000,
    reasoning: true,
    images: true,
    price: { input: 1, output: 2 },
  }
  const server = process.transport(world.server)
  const transport: typeof server = {
    async send(request) {
      world.did.requests += 1
      // Effects of a dead process are dropped.
      if (!process.alive) return new Promise(() => {})
      world.asked = place
      const wrong = request.signal.aborted
        ? []
        : [...limits.request(world.clock.now()), ...world.fallbacks.request(place)]
      for (const what of wrong) witness(world, false, () => what)
      if (world.tick("request")) return new Promise(() => {})
      return server.send(request)
    },
  }
  return openProvider(model, { transport, clock: process.clock, credential: { key: "k", from: "sim" } }, formats)
}

/** Loaded once: each process of each world opens the same few. */
const formats: WireFormats = new Map(
  apis.map((api) => {
    const open = formatOf({ provider: "sim", api })
    return [api, () => open]
  }),
)
