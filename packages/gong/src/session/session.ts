import {
  type Entry,
  type EntryOf,
  estimateText,
  failure,
  FailureError,
  type InputKind,
  type NewEntry,
  type RunEnd,
  syncTime,
  type Tool,
} from "@gong/spec"
import { endedByHook, hookRunner, hookTime, run } from "@gong/loop"
import { type AppendEntry, compactTape, context, filesSeen, removedCallIds, readonlyTape } from "@gong/tape"
import { requestWithRetry, type RequestDeps, modelOf } from "./runs/request-with-retry.ts"
import { sessionSettings } from "./session-settings.ts"
import { changesOf } from "./changes/changes.ts"
import { commandChanges } from "./changes/command-changes.ts"
import { compactionOf } from "./compaction/compaction.ts"
import type { CompactionDeps } from "./compaction/deps.ts"
import { createDialogs } from "./questions/dialogs.ts"
import { drive } from "./runs/drive.ts"
import { type Candidates, candidates } from "./runs/fallback.ts"
import type { EventOptions, EventStream } from "./events/event-stream.ts"
import type { Session } from "./session-api.ts"
import { addedMessages, type InputOptions, inputBody, modelEntries } from "./input/entries.ts"
import { inputQueue } from "./input/inbox.ts"
import {
  busy,
  maxQueued,
  noCommands,
  queueFull,
  queueUpdate,
  storageWarning,
  unwritten,
  waitingIn,
} from "./notifications.ts"
import { permitted } from "./questions/permit.ts"
import { createQuestions } from "./questions/questions.ts"
import type { SessionDeps } from "./deps.ts"
import { publication } from "./events/publish.ts"
import { type BuiltPrompt, promptFor, samePrompt, storePrompt } from "./runs/prompt-state.ts"
import { refusesChanges, settledOn } from "./settled.ts"
import { userCommand } from "./user-command.ts"

export type { EventOptions, EventStream, InputOptions, Session, SessionDeps }

/** Wires one tape to the loop: takes input, pulls the run, writes each step before it shows it. */
export function createSession(parts: SessionDeps): Session {
  const { tape } = parts
  const queue = inputQueue(parts.queue)
  const hooks = hookRunner(parts.hooks, { clock: parts.clock, sessionId: tape.id, telemetry: parts.telemetry })
  const questions = parts.questions ?? createQuestions(parts)
  const conversation = tape.follow(context)
  const seen = tape.follow(filesSeen)
  const gone = tape.follow(removedCallIds)
  let active: AbortController | null = null
  const selection = { provider: parts.provider, thinking: parts.thinking }
  /** As it was built, before hooks; and as the tape holds it. */
  let built = parts.lastPrompt
  let stored = parts.lastPrompt
  const published = publication(tape, () => selection.provider.model.contextWindow)
  const { publish } = published
  const dialogs = createDialogs(parts, (notification) => publish({ notification }))

  const guarded = () => (parts.writeGuard ? seen.value : null)
  const isReadOnly = (name: string) => parts.tools().find((tool) => tool.name === name)?.readOnly === true
  const publishWritten = (append: () => readonly Entry[]): readonly Entry[] => {
    const stalledBefore = tape.stalled
    const entries = append()
    publish({ entries })
    if (tape.stalled && !stalledBefore) publish({ notification: storageWarning(tape.stalled) })
    return entries
  }
  const write = (bodies: readonly NewEntry[]): readonly Entry[] => {
    const times = bodies.map((body) => syncTime(body, isReadOnly))
    const sync = times.includes("before")
    return publishWritten(() => {
      const entries = tape.append(bodies as readonly AppendEntry[], { sync })
      if (!sync && times.includes("behind")) tape.beginSync()
      return entries
    })
  }
  const settled = settledOn(tape)
  const summaries: CompactionDeps = {
    ...parts,
    get provider() {
      return selection.provider
    },
    get retry() {
      return parts.retry
    },
    hooks,
    context: () => conversation.value,
    head: () => (built ? estimateText(built.system) + estimateText(JSON.stringify(built.tools)) : 0),
    compactTape: async (body) => void (await settled(publishWritten(() => compactTape(tape, body)))),
    write,
    notify: (notification) => publish({ notification }),
  }
  const compaction = compactionOf(summaries)
  const found =
    parts.changeDetector &&
    commandChanges({
      detector: parts.changeDetector,
      clock: parts.clock,
      artifacts: tape.store.artifacts,
      redact: (text) => parts.redact(text),
      isReadOnly,
      write,
      notify: (notification) => publish({ notification }),
    })
  const accept = (kind: InputKind, text: string, options: InputOptions, before: readonly NewEntry[] = []) => {
    if (kind !== "prompt" && queue.size >= maxQueued) throw new FailureError(queueFull())
    const input = write([...before, inputBody(kind, text, options)]).at(-1) as EntryOf<"input">
    queue.put(input)
    if (kind !== "prompt") publish({ notification: queueUpdate(queue) })
    return input
  }

  const expanded = (text: string): string => {
    const meant = parts.expander.expand(text)
    if (!meant.ok) throw new FailureError(meant.failure)
    return meant.text
  }

  const start = async (text: string, options: InputOptions, stop: AbortController): Promise<RunEnd> => {
    hooks.beginRun(stop.signal)
    const input = await hooks.onInput({ text, images: options.images ?? [] })
    const undone = input ? null : hooks.stopping()
    if (undone !== null) return { status: "failed", turns: 0, failure: failure("bad-request", undone) }
    if (!input) return { status: "done", turns: 0 }
    for (const notification of await parts.expander.refresh()) publish({ notification })
    const meant = parts.expander.expand(input.text)
    if (!meant.ok) return { status: "failed", turns: 0, failure: meant.failure }
    const tools = parts.tools()
    built = await promptFor(parts.prompt, tools, parts.clock.now(), built)
    const begin = await hooks.onBeforeAgent({ prompt: meant.text, system: built.system, added: [] })
    for (const notification of hooks.takeNotifications()) publish({ notification })
    const refused = hooks.stopping()
    if (refused !== null) return { status: "failed", turns: 0, failure: failure("denied", endedByHook(refused)) }
    const sent = begin.system === built.system ? built : { ...built, system: begin.system }
    if (!samePrompt(sent, stored) && (await storePrompt(tape, sent))) stored = sent
    const before = [...modelEntries(conversation.value, selection), ...addedMessages(begin)]
    await settled(accept("prompt", begin.prompt, { ...options, images: input.images }, before))
    await compaction.beginRun()
    const models = candidates(selection, parts.fallbacks)
    return watched(begin.prompt, () =>
      drive(runOf(sent, tools, models, stop.signal), stop, { write, publish, found, settled: tape.settled }),
    ).finally(() => {
      const back = models.end()
      if (back.length > 0) write(back)
    })
  }

  const watched = async (prompt: string, work: () => Promise<RunEnd>): Promise<RunEnd> => {
    const startedAt = parts.clock.now()
    hooks.emit("agent.start", () => ({ prompt }))
    const end = await work()
    const { status, turns } = end
    hooks.emit("agent.end", () => ({ duration_ms: parts.clock.now() - startedAt, steps: turns, status }))
    for (const notification of hooks.takeNotifications()) publish({ notification })
    return end
  }

  const runOf = (built: BuiltPrompt, tools: readonly Tool[], models: Candidates, signal: AbortSignal) => {
    const { clock, ids, retry } = parts
    const asking: RequestDeps = {
      get provider() {
        return selection.provider
      },
      get thinking() {
        return selection.thinking
      },
      clock,
      ids,
      retry,
      async fallBack(failure) {
        const change = await models.next(failure)
        if (change) hooks.emit("model.select", () => modelOf(selection))
        return change
      },
      system: built.system,
      tools: built.tools,
      sessionId: tape.id,
      call: { purpose: "turn" },
      notify: (notification) => publish({ notification }),
      partialsWanted: () => published.partialsWanted,
      show: (partial) => publish({ partial }),
      emit: hooks.emit,
    }
    return run({
      context: () => conversation.value.messages,
      request: (messages, stop) => requestWithRetry(asking, messages, stop),
      removedCallIds: () => gone.value,
      fit: compaction.fit,
      tools: () => tools,
      inbox: queue,
      policy: parts.policy,
      hooks,
      confirm: parts.interactive ? questions.ask : null,
      dialog: parts.interactive ? dialogs.ask : null,
      show: (inside, step) => publish({ inside, step }),
      // Asked before each change: there may be room again.
      refuseChanges: () => refusesChanges(tape, settled),
      seen: guarded,
      artifacts: tape.store.artifacts,
      redact: (text) => parts.redact(text),
      clock,
      limits: parts.limits,
      strict: parts.strict,
      toolExecution: parts.toolExecution,
      signal,
    })
  }

  const commanding = (bash: Tool | null) => {
    if (!bash) throw new FailureError(noCommands())
    const { ids, redact } = parts
    return { bash, artifacts: tape.store.artifacts, ids, seen: guarded, redact, write, settled: tape.settled, publish }
  }
  /** One thing at a time: whoever works can be stopped, and nobody else begins. */
  const exclusive = async <T>(work: (stop: AbortController) => Promise<T>): Promise<T> => {
    if (active) throw new FailureError(busy())
    const stop = new AbortController()
    active = stop
    try {
      return await work(stop)
    } finally {
      active = null
    }
  }
  const assertIdle = (): void => {
    if (active || compaction.working) throw new FailureError(busy())
  }

  hooks.emit("session.start", () => ({}))
  hooks.emit("model.select", () => modelOf(selection))
  return {
    id: tape.id,
    history: readonlyTape(tape),
    declared: parts.declared,
    get running() {
      return active !== null || compaction.working
    },
    unwritten: () => unwritten(tape),
    subscribe: published.subscribe,
    events: published.events,
    prompt: (text, options = {}) => exclusive((stop) => start(text, options, stop).finally(() => hooks.endRun())),
    steer: async (text, options = {}) => settled(accept("steer", expanded(text), options).id),
    followUp: async (text, options = {}) =>
      settled(accept("follow_up", expanded(text), { source: "follow_up", ...options }).id),
    async compact(focus = "") {
      if (active && !compaction.working) throw new FailureError(busy())
      return compaction.compact(focus.trim())
    },
    get waiting() {
      return waitingIn(queue)
    },
    ...sessionSettings({ tape, hooks, queue, selection, write, settled, publish, assertIdle, exclusive, summaries }),
    ...changesOf({
      tape,
      files: parts.files,
      declared: parts.declared,
      publishWritten,
      settled,
      assertIdle,
      exclusive,
    }),
    command: (wanted) => exclusive((stop) => userCommand(commanding(parts.bash), wanted, stop.signal)),
    get questions() {
      return questions.open
    },
    reply: questions.reply,
    get dialogs() {
      return dialogs.open
    },
    answer: dialogs.reply,
    ask: parts.interactive ? (asked, signal) => dialogs.ask({ id: `u-${parts.ids.entry()}`, ...asked }, signal) : null,
    permit: permitted(parts, questions, (notification) => publish({ notification })),
    get permission() {
      return parts.policy.level
    },
    async setPermission(level) {
      parts.policy.setLevel(level)
      await questions.reconsider(({ tool, args, title }) => parts.policy.decide({ tool, arguments: args, title }))
    },
    async mayLeave(op, meta) {
      const gated = await hooks.beforeSessionOp(op, meta)
      return gated.answer === "ok" ? null : gated.reason
    },
    abort() {
      active?.abort()
      compaction.abort()
    },
    notify(notification) {
      publish({ notification })
      return published.hasSubscribers
    },
    async end() {
      hooks.emit("session.shutdown", () => ({}))
      const { promise: over, resolve } = Promise.withResolvers<void>()
      const cancel = parts.clock.timer(hookTime, resolve)
      await Promise.race([hooks.settled(), over])
      cancel()
      for (const notification of hooks.takeNotifications()) publish({ notification })
      // A failure was told to whoever waited for what it concerns.
      await tape.settled()?.catch(() => undefined)
    },
  }
}
