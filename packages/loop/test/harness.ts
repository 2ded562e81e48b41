import assert from "node:assert/strict"
import {
  type AssistantContent,
  type AssistantMessage,
  type Entry,
  type EntryOf,
  failure,
  type Hook,
  type Inbox,
  type InputKind,
  type Message,
  type NewEntry,
  noUsage,
  type Policy,
  type Reply,
  type RunEnd,
  type Step,
  textOf,
  type Tool,
  type ToolContext,
  type ToolResult,
  type ToolResultMessage,
} from "@gong/spec"
import { hookRunner, type LoopPorts, run } from "@gong/loop"
import { manualClock, type ManualClock } from "@gong/testing/sim/clock"

/** One scripted reply, or a failure. */
export type Turn =
  | { readonly text?: string; readonly calls?: readonly Call[]; readonly stop?: "length"; readonly tokens?: number }
  | Extract<Reply, { ok: false }>

export interface Call {
  readonly id: string
  readonly name: string
  readonly args?: Readonly<Record<string, unknown>>
  readonly broken?: string
}

export interface World {
  readonly entries: NewEntry[]
  readonly steps: Step[]
  /** The messages of each request. */
  readonly asked: (readonly Message[])[]
  readonly clock: ManualClock
  readonly abort: AbortController
  put(kind: InputKind, text: string, when?: "now" | "after-tool"): void
  /** Runs to the end and keeps every step, as a session does. */
  go(): Promise<RunEnd>
  results(): readonly ToolResultMessage[]
  ports: LoopPorts
}

export function world(
  turns: readonly Turn[],
  tools: readonly Tool[] = [],
  change: Partial<LoopPorts> & { readonly hooksGiven?: readonly Hook[] } = {},
): World {
  const entries: NewEntry[] = []
  const steps: Step[] = []
  const asked: (readonly Message[])[] = []
  const clock = manualClock()
  const abort = new AbortController()
  const queue = testInbox()
  const script = [...turns]
  const ports: LoopPorts = {
    context: () => contextOf(entries),
    request: (messages) => {
      asked.push(messages)
      return reply(script.shift() ?? { text: "nothing left in the script" })
    },
    removedCallIds: () => new Set(),
    fit: async () => ({ changed: false, usage: noUsage, cost: 0 }),
    tools: () => tools,
    inbox: queue,
    policy: allowAll,
    hooks: hookRunner(change.hooksGiven ?? [], { clock, sessionId: "s" }),
    confirm: null,
    dialog: null,
    show: () => undefined,
    refuseChanges: () => null,
    seen: () => null,
    artifacts: { put: async () => "a", get: async () => null, spillPath: async (name) => name },
    redact: (text) => text,
    clock,
    limits: {},
    strict: false,
    toolExecution: "parallel",
    signal: abort.signal,
    ...change,
  }
  const self: World = {
    entries,
    steps,
    asked,
    clock,
    abort,
    ports,
    put: (kind, text, when) => queue.put(kind, text, when),
    async go() {
      const generator = run(self.ports)
      for (;;) {
        const { value, done } = await generator.next()
        if (done) return value
        steps.push(value)
        if ("entries" in value) assert.notDeepEqual(value.entries, [], "a step writes something")
        if ("entries" in value) entries.push(...value.entries)
      }
    },
    results: () =>
      entries.flatMap((entry) => (entry.type === "message" && entry.message.role === "tool" ? [entry.message] : [])),
  }
  queue.put("prompt", "go")
  return self
}

export const allowAll: Policy = { decide: async () => ({ verdict: "allow" }), remember: async () => undefined }

async function* reply(turn: Turn): AsyncGenerator<Step, Reply, undefined> {
  if ("ok" in turn) return turn
  const model = { provider: "test", id: "m", api: "scripted" }
  yield { partial: { type: "start", draftId: "d", model } }
  const content: AssistantContent[] = []
  if (turn.text !== undefined) {
    yield { partial: { type: "text", index: 0, delta: turn.text } }
    content.push({ type: "text", text: turn.text })
  }
  for (const call of turn.calls ?? []) {
    const broken = call.broken === undefined ? {} : { broken: call.broken }
    content.push({ type: "tool_call", id: call.id, name: call.name, arguments: call.args ?? {}, ...broken })
  }
  const message: AssistantMessage = {
    role: "assistant",
    content,
    model,
    stopReason: turn.stop ?? (turn.calls ? "tool_calls" : "stop"),
    usage: { ...noUsage, output: turn.tokens ?? 0 },
    cost: 0,
  }
  return { ok: true, message }
}

function contextOf(entries: readonly NewEntry[]): readonly Message[] {
  return entries.flatMap((entry): readonly Message[] => {
    if (entry.type === "message") return [entry.message]
    if (entry.type === "custom_message") return [{ role: "user", content: entry.content }]
    return []
  })
}

function testInbox(): Inbox & { put(kind: InputKind, text: string, when?: "now" | "after-tool"): void } {
  let inputs: EntryOf<"input">[] = []
  const listeners = new Set<(input: EntryOf<"input">) => void>()
  let count = 0
  return {
    take(kind) {
      const taken = inputs.filter((input) => input.kind === kind)
      inputs = inputs.filter((input) => input.kind !== kind)
      return taken
    },
    has: (kind) => inputs.some((input) => input.kind === kind),
    onSteer(callback) {
      listeners.add(callback)
      return () => listeners.delete(callback)
    },
    put(kind, text, when) {
      count += 1
      const head = { id: `input-${count}`, parentId: null, timestamp: "2026-01-01T00:00:00.000Z" }
      const input: EntryOf<"input"> = { ...head, type: "input", kind, text, source: "user", ...(when ? { when } : {}) }
      inputs.push(input)
      if (kind === "steer") for (const listener of listeners) listener(input)
    },
  }
}

export interface ToolOptions {
  readonly readOnly?: boolean
  readonly interruptible?: boolean
  readonly keepsTime?: boolean
}

/** A tool from a function; returned text is its result. */
export function tool(
  name: string,
  work: (args: Readonly<Record<string, unknown>>, context: ToolContext) => Promise<string | ToolResult> | string,
  options: ToolOptions = {},
): Tool {
  return {
    name,
    label: name,
    description: name,
    parameters: { type: "object", properties: { path: { type: "string" }, count: { type: "integer" } } },
    promptSnippet: name,
    promptGuidelines: [],
    readOnly: options.readOnly ?? false,
    interruptible: options.interruptible ?? options.readOnly ?? false,
    ...(options.keepsTime === undefined ? {} : { keepsTime: options.keepsTime }),
    title: (args) => (typeof args["path"] === "string" ? `${name} ${args["path"]}` : name),
    async execute(_, args, context) {
      const result = await work(args, context)
      return typeof result === "string"
        ? { content: [{ type: "text", text: result }], details: null, isError: false }
        : result
    },
  }
}

export const aborted = failure("aborted", "Operation aborted")

export function texts(results: readonly ToolResultMessage[]): readonly string[] {
  return results.map((result) => textOf(result))
}

/** Resolves on abort, like a long command that obeys. */
export function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new Error("Command aborted"))
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
  })
}

export type { Entry }
