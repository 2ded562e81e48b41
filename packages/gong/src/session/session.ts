import {
  type Clock,
  type Entry,
  type EntryOf,
  type Failure,
  failure,
  FailureError,
  type Hook,
  type Ids,
  type ImageContent,
  type InputBody,
  type InputKind,
  type NewEntry,
  type Notice,
  type PermissionAnswer,
  type PermissionRequest,
  type Policy,
  type Provider,
  type RunEnd,
  type SeenFile,
  syncTime,
  type ThinkingLevel,
  type Tool,
  type Watch,
} from "@gong/spec"
import { hookRunner, type Limits, run, type RunStart } from "@gong/loop"
import { type AppendEntry, type Context, context, filesSeen, type Tape } from "@gong/tape"
import { ask, type AskParts } from "./ask.ts"
import { commandChanges } from "./command-changes.ts"
import { drive } from "./drive.ts"
import { inputQueue } from "./inbox.ts"
import type { RetryPolicy } from "./retry.ts"
import { type Listener, publisher } from "./publish.ts"
import { type BuiltPrompt, type PromptSource, promptFor, samePrompt, storePrompt } from "./prompt-state.ts"

export interface SessionParts {
  readonly tape: Tape
  readonly provider: Provider
  readonly thinking: ThinkingLevel
  /** The active tools, in catalogue order. Asked at each run: what changed takes effect at once. */
  tools(): readonly Tool[]
  readonly prompt: PromptSource
  /** The prompt that the tape already holds. */
  readonly lastPrompt: BuiltPrompt | null
  readonly hooks: readonly Hook[]
  readonly policy: Policy
  readonly confirm: ((request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>) | null
  redact(text: string): string
  readonly limits: Limits
  /** Refuses, once, to write over what this session has not looked at (interface 5 A). */
  readonly writeGuard: boolean
  readonly strict: boolean
  readonly toolExecution: "parallel" | "sequential"
  /** Finds what commands changed, where undo could use it. */
  readonly watch: Watch | null
  readonly retry: RetryPolicy
  readonly clock: Clock
  readonly ids: Ids
}

export interface InputOptions {
  readonly images?: readonly ImageContent[]
  /** Files whose content stands in the text or the images. */
  readonly seen?: readonly SeenFile[]
  readonly source?: InputBody["source"]
  /** For a steer: stop the running tool (default), or let it finish. */
  readonly when?: "now" | "after-tool"
}

/** The public face of a session: all that a surface may touch. */
export interface Session {
  readonly id: string
  readonly tape: Tape
  readonly running: boolean
  /** Every step in one order. A subscriber that throws is left alone; the run goes on. */
  subscribe(listener: Listener, options?: SubscribeOptions): () => void
  /** Runs a prompt to its end, follow-ups included; no time limit of its own. Rejects when a run is in progress. */
  prompt(text: string, options?: InputOptions): Promise<RunEnd>
  /**
   * Returns the input's id once it is on the disk; it is injected into the run that works, or into the next one. Throws
   * FailureError (`limit`) when 100 messages wait.
   */
  steer(text: string, options?: InputOptions): string
  followUp(text: string, options?: InputOptions): string
  /** Stops the run; `prompt` then resolves with status `interrupted`. */
  abort(): void
  /** Says something to the user that no entry says. */
  notify(notice: Notice): void
}

export interface SubscribeOptions {
  /** Default true. Where nobody wants what is still streaming, it is not carried around. */
  readonly drafts?: boolean
}

/** Steering messages and follow-ups that may wait at once. */
const maxQueued = 100

/** Wires one tape to the loop: takes input, pulls the run, writes each step before it shows it. */
export function createSession(parts: SessionParts): Session {
  const { tape } = parts
  const listeners = new Map<Listener, boolean>()
  /** Listeners that want drafts. */
  let watching = 0
  const queue = inputQueue()
  const hooks = hookRunner(parts.hooks, parts.clock)
  const conversation = tape.follow(context)
  const seen = tape.follow(filesSeen)
  let active: AbortController | null = null
  /** As it was built, before hooks; and as the tape holds it. */
  let built = parts.lastPrompt
  let stored = parts.lastPrompt
  const publish = publisher(listeners)

  const isReadOnly = (name: string) => parts.tools().find((tool) => tool.name === name)?.readOnly === true
  const write = (bodies: readonly NewEntry[]): readonly Entry[] => {
    const stalledBefore = tape.stalled
    const times = bodies.map((body) => syncTime(body, isReadOnly))
    const sync = times.includes("before")
    const entries = tape.append(bodies as readonly AppendEntry[], { sync })
    if (!sync && times.includes("behind")) tape.beginSync()
    publish({ entries })
    if (tape.stalled && !stalledBefore) publish({ notice: storageNotice(tape.stalled) })
    return entries
  }
  const found =
    parts.watch &&
    commandChanges({
      watch: parts.watch,
      clock: parts.clock,
      artifacts: tape.store.artifacts,
      redact: (text) => parts.redact(text),
      isReadOnly,
      write,
      notify: (notice) => publish({ notice }),
    })
  const accept = (kind: InputKind, text: string, options: InputOptions, before: readonly NewEntry[] = []) => {
    if (kind !== "prompt" && queue.size >= maxQueued) throw new FailureError(queueFull())
    const input = write([...before, inputBody(kind, text, options)]).at(-1) as EntryOf<"input">
    queue.put(input)
    if (kind !== "prompt") publish({ notice: queueNotice(queue) })
    return input
  }

  const start = async (text: string, options: InputOptions, stop: AbortController): Promise<RunEnd> => {
    const input = await hooks.onInput({ text, images: options.images ?? [] })
    if (!input) return { status: "done", turns: 0 }
    const tools = parts.tools()
    built = await promptFor(parts.prompt, tools, parts.clock.now(), built)
    const begin = await hooks.onBeforeAgent({ prompt: input.text, system: built.system, added: [] })
    for (const notice of hooks.takeNotices()) publish({ notice })
    const sent = begin.system === built.system ? built : { ...built, system: begin.system }
    if (!samePrompt(sent, stored) && (await storePrompt(tape, sent))) stored = sent
    accept("prompt", begin.prompt, { ...options, images: input.images }, [
      ...modelEntries(conversation.value, parts),
      ...addedMessages(begin),
    ])
    return drive(runOf(sent, tools, stop.signal), stop, { write, publish, found })
  }

  const runOf = (built: BuiltPrompt, tools: readonly Tool[], signal: AbortSignal) => {
    const { provider, thinking, clock, ids, retry } = parts
    const asking: AskParts = {
      provider,
      thinking,
      clock,
      ids,
      retry,
      system: built.system,
      tools: built.tools,
      sessionId: tape.id,
      notify: (notice) => publish({ notice }),
      draftsWanted: () => watching > 0,
    }
    return run({
      context: () => conversation.value.messages,
      ask: (messages, stop) => ask(asking, messages, stop),
      tools: () => tools,
      inbox: queue,
      policy: parts.policy,
      hooks,
      confirm: parts.confirm,
      // Asked before each change: there may be room again.
      refuseChanges: () => (tape.flush() ? null : `the session cannot be written (${tape.stalled?.message}).`),
      seen: () => (parts.writeGuard ? seen.value : null),
      artifacts: tape.store.artifacts,
      redact: (text) => parts.redact(text),
      clock,
      limits: parts.limits,
      strict: parts.strict,
      toolExecution: parts.toolExecution,
      signal,
    })
  }

  return {
    id: tape.id,
    tape,
    get running() {
      return active !== null
    },
    subscribe(listener, { drafts = true } = {}) {
      listeners.set(listener, drafts)
      if (drafts) watching += 1
      return () => {
        if (listeners.delete(listener) && drafts) watching -= 1
      }
    },
    async prompt(text, options = {}) {
      if (active) throw new FailureError(busy())
      const controller = new AbortController()
      active = controller
      try {
        return await start(text, options, controller)
      } finally {
        active = null
      }
    },
    steer: (text, options = {}) => accept("steer", text, options).id,
    followUp: (text, options = {}) => accept("follow_up", text, { source: "follow_up", ...options }).id,
    abort: () => active?.abort(),
    notify: (notice) => publish({ notice }),
  }
}

/** Model and thinking level, when the branch does not say them already. */
function modelEntries({ model, thinking }: Context, parts: SessionParts): readonly NewEntry[] {
  const { provider, id } = parts.provider.model
  const entries: NewEntry[] = []
  if (model?.provider !== provider || model.id !== id) entries.push({ type: "model_change", provider, modelId: id })
  if (thinking !== parts.thinking) entries.push({ type: "thinking_level_change", thinkingLevel: parts.thinking })
  return entries
}

function addedMessages(begin: RunStart): readonly NewEntry[] {
  return begin.added.map(({ hook, message }): NewEntry => {
    const content = message.content.filter((block) => block.type === "text" || block.type === "image")
    return { type: "custom_message", customType: `hook.${hook}`, content, display: false }
  })
}

function inputBody(kind: InputKind, text: string, options: InputOptions): InputBody {
  return {
    type: "input",
    kind,
    text,
    source: options.source ?? "user",
    ...(options.images && options.images.length > 0 ? { images: options.images } : {}),
    ...(options.seen && options.seen.length > 0 ? { seen: options.seen } : {}),
    ...(options.when ? { when: options.when } : {}),
  }
}

function busy(): Failure {
  return failure("denied", "This session is busy: a run is in progress.", { hint: "use steer or follow_up" })
}

function queueFull(): Failure {
  const text = `${maxQueued} messages wait already; no more are taken before the model has seen some of them.`
  return failure("limit", text)
}

function storageNotice(what: Failure): Notice {
  const text = `${what.message}; the session goes on in memory, and nothing is changed until it can be written again`
  return { code: "storage", level: "warn", text }
}

function queueNotice(queue: ReturnType<typeof inputQueue>): Notice {
  const rows = (kind: InputKind) => queue.waiting(kind).map(({ id, text }) => ({ id, text }))
  return { code: "queue", steer: rows("steer"), followUp: rows("follow_up") }
}
