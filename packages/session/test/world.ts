import {
  type Clock,
  type Entry,
  type Host,
  type Ids,
  type Message,
  type Provider,
  type PublishedStep,
  type Tool,
} from "@gong/spec"
import { type ScriptedStep, scriptedProvider } from "@gong/llm/scripted"
import { createTape, type Tape } from "@gong/tape"
import {
  createStore,
  type DiskCall,
  type DiskFault,
  type Machine,
  type MemoryDisk,
  memoryDisk,
  openStore,
  type SyncMode,
} from "@gong/tape/file"
import { manualClock, type ManualClock } from "@gong/testing/sim/clock"
import { seededIds } from "@gong/testing/sim/ids"
import { createAllTools, builtInDeclarations } from "@gong/tools"
import { createMemoryHost, type MemoryHostOptions } from "@gong/tools/host/memory"
import { remake } from "@gong/tools/remake"
import { loadPrompt } from "../src/runs/prompt-state.ts"
import { noTemplates } from "../src/input/template-expander.ts"
import { repair, type RepairResult } from "../src/repair.ts"
import type { UndoDeps } from "../src/changes/undo.ts"
import { simProcess } from "./sim/process.ts"
import type { LiveSettings } from "../src/deps.ts"
import { createSession, type Session, type SessionDeps } from "../src/session.ts"

/** State that outlives a process: its disk, the files of tools, and time. */
export interface Place {
  readonly clock: ManualClock
  readonly ids: Ids
  readonly disk: MemoryDisk
  readonly host: Host
  /** Processes that were started here. */
  processes: number
}

export interface PlaceOptions extends MemoryHostOptions {
  readonly fault?: (call: DiskCall) => DiskFault | null
  /** Ends a sync in the thread pool. */
  readonly pool?: () => Promise<void>
}

export function place(options: PlaceOptions = {}): Place {
  const clock = manualClock()
  const { fault, pool, ...host } = options
  return {
    clock,
    ids: seededIds(1, clock.now),
    disk: memoryDisk({ now: clock.now, ...(fault ? { fault } : {}), ...(pool ? { pool } : {}) }),
    host: createMemoryHost({ now: clock.now, ...host }),
    processes: 0,
  }
}

/** One process: the real session on a tape over the place's disk. */
export interface Running {
  readonly session: Session
  readonly tape: Tape
  readonly provider: Provider
  /** The messages of each request, as they were when it was made. */
  readonly asked: readonly (readonly Message[])[]
  readonly steps: PublishedStep[]
  readonly repaired: RepairResult
  /** Ends the process as `kill -9` does: nothing that it does from now on reaches disk, files or time. */
  kill(): void
  /** Published entries, in order. */
  entries(): readonly Entry[]
}

export interface StartOptions
  extends Partial<Omit<SessionDeps, "tape" | "lastPrompt" | "settings">>, Partial<LiveSettings> {
  readonly script?: readonly ScriptedStep[]
  readonly id?: string
  readonly deltaSize?: number
  readonly syncMode?: SyncMode
  /** Names the running session's tools, in catalogue order. */
  readonly toolNames?: readonly ("read" | "write" | "edit" | "bash" | "ls")[]
}

/** Actions of a command with exclusive access to the tape. */
export function appendTo(tape: Tape): UndoDeps["append"] {
  return async (body) => void tape.append([body], { sync: true })
}

/** Processes at all places so far. */
let places = 0

/** Opens the session at this place, or makes it, as `compose/open-session.ts` does. */
export async function start(where: Place, options: StartOptions = {}): Promise<Running> {
  const { script = [], id = "s1", deltaSize = 0, toolNames, provider: given, syncMode = "at-once", ...parts } = options
  const simulated = simProcess(where.clock)
  const { clock } = simulated
  const { ids } = where
  const ports = { disk: simulated.disk(where.disk), clock, ids, machine: machine(++where.processes), syncMode }
  const isThere = where.disk.stat(`/sessions/${id}/tape.json`) !== null
  const store = isThere
    ? openStore(ports, { path: `/sessions/${id}` })
    : createStore(ports, { sessions: "/sessions", id, cwd: "/work", workspace: "/work" })
  const tape = createTape(store, ports)
  const repaired = repair(tape)
  const asked: (readonly Message[])[] = []
  const provider = watched(given ?? scriptedProvider(script, { clock, deltaSize }), asked)
  // A file that a dead process held must not wait for it: every process has a place of its own name.
  const tools = builtIn({ ...simulated.host(where.host), id: `test-${++places}` }, clock, toolNames)
  const settings: LiveSettings = {
    answerTime: null,
    writeGuard: true,
    retry: { count: 3, baseMs: 1000, random: () => 0 },
    queue: { steer: "all", followUp: "one" },
    compaction: { auto: true, reserveTokens: 16_384, keepTokens: 20_000, provider: null },
    ...parts,
  }
  const session = createSession({
    tape,
    thinking: "off",
    tools: () => tools,
    declared: builtInDeclarations,
    prompt: { build: (active, builtAt) => `tools: ${active.map(({ name }) => name).join(" ")}; at ${builtAt}` },
    expander: noTemplates,
    lastPrompt: isThere ? await loadPrompt(tape) : null,
    hooks: [],
    telemetry: null,
    bash: null,
    policy: {
      level: "full",
      setLevel: () => undefined,
      decide: async () => ({ verdict: "allow" }),
      remember: async () => undefined,
    },
    interactive: false,
    redact: (text) => text,
    limits: {},
    strict: false,
    toolExecution: "parallel",
    files: { host: async () => where.host, remake },
    changeDetector: null,
    fallbacks: [],
    clock,
    ids,
    ...parts,
    settings: () => settings,
    provider,
  })
  const steps: PublishedStep[] = []
  session.subscribe((step) => steps.push(step))
  const entries = (): readonly Entry[] => steps.flatMap((step) => ("entries" in step ? step.entries : []))
  return { session, tape, provider, asked, steps, repaired, entries, kill: simulated.kill }
}

/** The conversation is one growing array, so the content of a request can only be read when it is sent. */
function watched(provider: Provider, asked: (readonly Message[])[]): Provider {
  return {
    model: provider.model,
    stream(ask) {
      asked.push([...ask.messages])
      return provider.stream(ask)
    },
  }
}

function builtIn(
  host: Host,
  clock: Clock,
  names: StartOptions["toolNames"] = ["read", "write", "edit", "bash", "ls"],
): readonly Tool[] {
  const all = createAllTools("/work", { host, clock })
  return names.map((name) => all[name])
}

/** Every process has its own number, and no other one is alive. */
function machine(pid: number): Machine {
  const startTime = `boot/ns/${pid}`
  return { pid, host: "here", startTime, startTimeOf: (other) => (other === pid ? startTime : null) }
}

/** The entries on the disk now, read by another, read-only process. */
export function onDisk(where: Place, id = "s1"): readonly Entry[] {
  const ports = { disk: where.disk, clock: where.clock, ids: where.ids, machine: machine(9999) }
  const tape = createTape(openStore(ports, { path: `/sessions/${id}`, readOnly: true }), ports)
  const entries = tape.entriesOfBranch()
  tape.close()
  return entries
}

/** A tool whose work is a function. */
export function tool(
  name: string,
  work: (args: Readonly<Record<string, unknown>>, context: Parameters<Tool["execute"]>[2]) => Promise<string> | string,
  options: Partial<Pick<Tool, "readOnly" | "interruptible">> = {},
): Tool {
  return {
    name,
    label: name,
    description: name,
    parameters: { type: "object", properties: {} },
    promptSnippet: name,
    promptGuidelines: [],
    readOnly: false,
    interruptible: false,
    title: () => name,
    execute: async (_, args, context) => ({
      content: [{ type: "text", text: await work(args, context) }],
      details: null,
      isError: false,
    }),
    ...options,
  }
}

/** An event that the test waits for and triggers by hand. */
export function gate<T = void>(): { readonly opened: Promise<T>; open(value: T): void } {
  const { promise, resolve } = Promise.withResolvers<T>()
  return { opened: promise, open: resolve }
}
