import {
  type BeforeAgentAnswer,
  type Clock,
  englishOf,
  type Hook,
  type HookCall,
  type HookContext,
  type HookEventName,
  type HookEvents,
  type HookResult,
  type ImageContent,
  type Message,
  type Notification,
  type TelemetrySubscriber,
  phrase,
  type SessionOp,
  type StopMeta,
  textNotification,
} from "@gong/spec"
import { type Callback, callHook, type HookCaller, timeOf } from "./hook-call.ts"
import { askGates, type Gated } from "./hook-gates.ts"
import { watchers } from "./watchers.ts"

/** Hooks with the rules that hold for all: order, a time limit, and an error is reported and not passed on. */
export interface HookRunner {
  /** From now on hooks are left when this signal aborts, and none has stopped the run yet. */
  beginRun(signal: AbortSignal): void
  endRun(): void
  /** Null when a hook took the input for itself: then nobody else sees it. */
  onInput(input: HookedInput): Promise<HookedInput | null>
  /** Before the first request of a run: may change the prompt and the system text, and add messages. */
  onBeforeAgent(start: RunStart): Promise<RunStart>
  beforeToolCall(call: HookCall): Promise<Gated>
  beforeSessionOp(op: SessionOp, meta: Readonly<Record<string, unknown>>): Promise<Gated>
  beforeStop(stop: StopMeta): Promise<Gated>
  onToolResult(call: HookCall, result: HookResult): Promise<HookResult>
  onContext(messages: readonly Message[]): Promise<readonly Message[]>
  /** Tells watchers; returns at once. The fields are made only where somebody looks. */
  emit<N extends HookEventName>(event: N, fields: () => HookEvents[N]): void
  /** Why a hook wants the run to end; null: none does. */
  stopping(): string | null
  /** What is to be said to the user since the last time. */
  takeNotifications(): readonly Notification[]
  /** Resolves when every watcher has answered; each has its time. */
  settled(): Promise<void>
}

export interface HookedInput {
  readonly text: string
  readonly images: readonly ImageContent[]
}

export interface RunStart {
  readonly prompt: string
  readonly system: string
  /** Messages that hooks added, with the hook's name. */
  readonly added: readonly { readonly hook: string; readonly message: Message }[]
}

export interface HookRunnerOptions {
  readonly clock: Clock
  readonly sessionId: string
  readonly telemetry?: TelemetrySubscriber | null
}

/**
 * Hooks run in the order given: gates to the first refusal, pipes each on the former's output. The list may change meanwhile,
 * behind the hook that runs as well: it is read at each step.
 */
export function hookRunner(hooks: readonly Hook[], parts: HookRunnerOptions): HookRunner {
  const state: State = { signal: undefined, stop: null, notifications: [] }
  /** `told`: those who look on hear of what goes wrong, and not only the user. */
  const callerOf = (told: boolean): HookCaller => {
    const report: HookCaller["report"] = (hook, callback, error, stacktrace = englishOf(error)) => {
      const text = phrase`hook ${hook.name}, ${callback}: ${error}`
      state.notifications.push(textNotification("hook-error", "warn", text))
      const message = englishOf(error)
      if (told) watching.emit("hook.error", () => ({ hook: hook.name, callback, error: message, stacktrace }))
    }
    return {
      async call(hook, callback, work) {
        // The end of a run is something to be watched as well.
        const signal = callback === "watch" ? undefined : state.signal
        const called = await callHook(work, { clock: parts.clock, timeMs: timeOf(hook), signal })
        if (called.became === "error") report(hook, callback, called.message, called.stack)
        return called
      },
      report,
      aside(hook, said) {
        const { tell, stop } = said ?? {}
        if (tell !== undefined)
          state.notifications.push(textNotification("hook", "info", phrase`hook ${hook.name}: ${tell}`))
        if (stop !== undefined) state.stop ??= stop
      },
    }
  }
  const caller = callerOf(true)
  const watching = watchers(hooks, parts, { caller, quiet: callerOf(false) })
  return {
    beginRun(signal) {
      state.signal = signal
      state.stop = null
    },
    endRun() {
      state.signal = undefined
    },
    ...gates(hooks, caller),
    ...pipes(hooks, caller, state),
    emit: watching.emit,
    stopping: () => state.stop,
    takeNotifications: () => state.notifications.splice(0),
    settled: watching.settled,
  }
}

interface State {
  signal: AbortSignal | undefined
  stop: string | null
  readonly notifications: Notification[]
}

function gates(
  hooks: readonly Hook[],
  caller: HookCaller,
): Pick<HookRunner, "beforeToolCall" | "beforeSessionOp" | "beforeStop"> {
  return {
    beforeToolCall: ({ id, tool, arguments: first }) => {
      const ask = (hook: Hook, args: HookCall["arguments"], context: HookContext) =>
        hook.beforeToolCall?.({ id, tool, arguments: args }, context)
      return askGates(hooks, { callback: "beforeToolCall", arguments: first, ask }, caller)
    },
    beforeSessionOp: (op, meta) => {
      const ask = (hook: Hook, _: unknown, context: HookContext) => hook.beforeSessionOp?.(op, meta, context)
      return askGates(hooks, { callback: "beforeSessionOp", arguments: {}, ask }, caller)
    },
    beforeStop: (stop) => {
      const ask = (hook: Hook, _: unknown, context: HookContext) => hook.beforeStop?.(stop, context)
      return askGates(hooks, { callback: "beforeStop", arguments: {}, ask }, caller)
    },
  }
}

function pipes(
  hooks: readonly Hook[],
  caller: HookCaller,
  state: State,
): Pick<HookRunner, "onInput" | "onBeforeAgent" | "onToolResult" | "onContext"> {
  const pipe = async <T>(
    callback: Callback,
    first: T,
    one: (hook: Hook, value: T, context: HookContext) => Promise<T | undefined> | undefined,
  ): Promise<T> => {
    let value = first
    for (const hook of hooks) {
      if (!hook[callback]) continue
      const before = value
      const called = await caller.call(hook, callback, (context) => one(hook, before, context))
      if (called.became === "late") caller.report(hook, callback, phrase`no answer after ${timeOf(hook)} ms; skipped`)
      if (called.became === "answer") value = called.value ?? value
    }
    return value
  }
  return {
    async onInput(input) {
      let handled = false
      const result = await pipe("onInput", input, async (hook, { text, images }, context) => {
        const answer = handled ? undefined : await hook.onInput?.(text, images, context)
        if (answer?.answer === "handled") {
          handled = true
          state.stop ??= answer.failure ?? null
        }
        return answer?.answer === "transform" ? { text: answer.text, images: answer.images ?? images } : undefined
      })
      return handled ? null : result
    },
    onBeforeAgent: (start) =>
      pipe("onBeforeAgent", start, async (hook, value, context) => {
        if (state.stop !== null) return undefined
        const answer = await hook.onBeforeAgent?.(value.prompt, value.system, context)
        caller.aside(hook, answer)
        return started(hook, value, answer)
      }),
    onToolResult: (call, result) =>
      pipe("onToolResult", result, async (hook, value, context) => {
        const answer = await hook.onToolResult?.(call, value, context)
        caller.aside(hook, answer)
        return answer
      }),
    // A new array of the same frozen messages: what a hook leaves alone keeps its identity and costs nothing.
    onContext: (messages) =>
      pipe("onContext", messages, async (hook, value, context) => hook.onContext?.(value.slice(), context)),
  }
}

function started(hook: Hook, start: RunStart, answer: BeforeAgentAnswer | undefined): RunStart {
  const added = (answer?.messages ?? []).map((message) => ({ hook: hook.name, message }))
  return {
    prompt: answer?.prompt ?? start.prompt,
    system: answer?.system ?? start.system,
    added: [...start.added, ...added],
  }
}
