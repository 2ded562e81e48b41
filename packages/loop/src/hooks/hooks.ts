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
  type Text,
  textNotification,
} from "@gong/spec"
import { type Callback, callHook, type HookCaller, timeOf } from "./hook-call.ts"
import { askGates, type Gated } from "./hook-gates.ts"
import { watchers } from "./watchers.ts"

/** Runs hooks in order, with a time limit; errors are reported and contained. */
export interface HookRunner {
  /** From now on hooks are abandoned when this signal aborts. Clears the stop request of earlier runs. */
  beginRun(signal: AbortSignal): void
  endRun(): void
  /** Null if a hook handled the input; no other hook sees it then. */
  onInput(input: HookedInput): Promise<HookedInput | null>
  /** Before the first request of a run: may change the prompt and the system prompt, and add messages. */
  onBeforeAgent(start: RunStart): Promise<RunStart>
  beforeToolCall(call: HookCall): Promise<Gated>
  beforeSessionOp(op: SessionOp, meta: Readonly<Record<string, unknown>>): Promise<Gated>
  beforeStop(stop: StopMeta): Promise<Gated>
  onToolResult(call: HookCall, result: HookResult): Promise<HookResult>
  onContext(messages: readonly Message[]): Promise<readonly Message[]>
  /** Sends an event to watchers and returns at once. The fields are created only if someone receives them. */
  emit<N extends HookEventName>(event: N, fields: () => HookEvents[N]): void
  /** Why a hook ends the run; null: none does. */
  stopping(): Text | null
  /** Notifications for the user since the last call. */
  takeNotifications(): readonly Notification[]
  /** Resolves when every watcher has returned or timed out. */
  settled(): Promise<void>
}

export interface HookedInput {
  readonly text: string
  readonly images: readonly ImageContent[]
}

export interface RunStart {
  readonly prompt: string
  readonly system: string
  /** Messages added by hooks, with the hook's name. */
  readonly added: readonly { readonly hook: string; readonly message: Message }[]
}

export interface HookRunnerOptions {
  readonly clock: Clock
  readonly sessionId: string
  readonly telemetry?: TelemetrySubscriber | null
}

/**
 * Hooks run in the given order: gates up to the first refusal, pipes each with the output of the previous one. The list may
 * grow meanwhile, even after the running hook; it is read at each step.
 */
export function hookRunner(hooks: readonly Hook[], parts: HookRunnerOptions): HookRunner {
  const state: State = { signal: undefined, stop: null, notifications: [] }
  /** `reported`: errors go to telemetry, and not only to the user. */
  const callerOf = (reported: boolean): HookCaller => {
    const report: HookCaller["report"] = (hook, callback, error, stacktrace = englishOf(error)) => {
      const text = phrase`hook ${hook.name}, ${callback}: ${error}`
      state.notifications.push(textNotification("hook-error", "warn", text))
      const message = englishOf(error)
      if (reported) watching.emit("hook.error", () => ({ hook: hook.name, callback, error: message, stacktrace }))
    }
    return {
      async call(hook, callback, work) {
        // Watchers also receive the end of a run, so its signal does not apply.
        const signal = callback === "watch" ? undefined : state.signal
        const called = await callHook(work, { clock: parts.clock, timeMs: timeOf(hook), signal })
        if (called.outcome === "error") report(hook, callback, called.message, called.stack)
        return called
      },
      report,
      aside(hook, answer) {
        const { tell, stop } = answer ?? {}
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
  stop: Text | null
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
      if (called.outcome === "timeout")
        caller.report(hook, callback, phrase`no answer after ${timeOf(hook)} ms; skipped`)
      if (called.outcome === "answer") value = called.value ?? value
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
    // A new array of the same frozen messages: unchanged messages keep their identity and cost nothing.
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
