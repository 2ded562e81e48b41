import {
  type BeforeAgentAnswer,
  type Clock,
  type Failure,
  failure,
  failureOf,
  type GateAnswer,
  type Hook,
  type HookCall,
  type HookResult,
  type ImageContent,
  type Message,
  type Notice,
} from "@gong/spec"

/** Milliseconds that one callback of a hook may take (design section 6). */
export const hookTime = 5_000

/** Hooks with the two rules that hold for all: a time limit, and an error is reported, not passed on. */
export interface HookRunner {
  /** Null when a hook took the input for itself: then nobody else sees it. */
  onInput(input: HookedInput): Promise<HookedInput | null>
  /** Before the first request of a run: may change the prompt and the system text, and add messages. */
  onBeforeAgent(start: RunStart): Promise<RunStart>
  beforeToolCall(call: HookCall): Promise<Gated>
  onToolResult(call: HookCall, result: HookResult): Promise<HookResult>
  onContext(messages: readonly Message[]): Promise<readonly Message[]>
  /** What went wrong since the last time, for the user. */
  takeNotices(): readonly Notice[]
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

export type Gated =
  | { readonly answer: "ok"; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly answer: "block"; readonly reason: string }

/**
 * Gates run in order and stop at the first that does not say ok; one that throws or answers nonsense passes and is
 * reported, one that hangs blocks (design section 6). Pipes run in order, each on the former's output.
 */
export function hookRunner(hooks: readonly Hook[], clock: Clock, timeMs = hookTime): HookRunner {
  const notices: Notice[] = []
  const report = (hook: Hook, callback: string, what: Failure): void => {
    notices.push({ code: "hook-error", level: "warn", text: `hook ${hook.name}, ${callback}: ${what.message}` })
  }
  const pipe = async <T>(
    callback: string,
    first: T,
    one: (hook: Hook, value: T) => Promise<T | undefined> | undefined,
  ) => {
    let value = first
    for (const hook of hooks) {
      try {
        const pending = one(hook, value)
        if (pending) value = (await limited(pending, clock, timeMs)) ?? value
      } catch (error) {
        report(hook, callback, failureOf(error))
      }
    }
    return value
  }
  return {
    async onInput(input) {
      let handled = false
      const result = await pipe("onInput", input, (hook, value) => {
        if (handled || !hook.onInput) return undefined
        return hook.onInput(value.text, value.images).then((answer) => {
          if (answer.answer === "handled") handled = true
          return answer.answer === "transform" ? { text: answer.text, images: answer.images ?? value.images } : value
        })
      })
      return handled ? null : result
    },
    onBeforeAgent: (start) =>
      pipe("onBeforeAgent", start, (hook, value) =>
        hook.onBeforeAgent?.(value.prompt, value.system).then((answer) => started(hook, value, answer)),
      ),
    async beforeToolCall(call) {
      let current = call
      for (const hook of hooks) {
        if (!hook.beforeToolCall) continue
        const answer = await askGate(hook, current, clock, timeMs, report)
        if (answer.answer === "block") return answer
        if (answer.answer === "cancel") return { answer: "block", reason: answer.reason ?? "cancelled by a hook." }
        if (answer.arguments) current = { ...current, arguments: answer.arguments }
      }
      return { answer: "ok", arguments: current.arguments }
    },
    onToolResult: (call, result) => pipe("onToolResult", result, (hook, value) => hook.onToolResult?.(call, value)),
    // A new array of the same frozen messages: what a hook leaves alone keeps its identity and costs nothing.
    onContext: async (messages) =>
      hooks.some((hook) => hook.onContext)
        ? pipe("onContext", messages, (hook, value) => hook.onContext?.(value.slice()))
        : messages,
    takeNotices: () => notices.splice(0),
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

const hung = Symbol("hung")

async function askGate(
  hook: Hook,
  call: HookCall,
  clock: Clock,
  timeMs: number,
  report: (hook: Hook, callback: string, what: Failure) => void,
): Promise<GateAnswer> {
  try {
    const answer = await limited(Promise.resolve<unknown>(hook.beforeToolCall?.(call)), clock, timeMs, hung)
    if (answer === hung) {
      report(hook, "beforeToolCall", failure("limit", `no answer after ${timeMs} ms; the call was blocked`))
      return { answer: "block", reason: `the gate "${hook.name}" gave no answer in time.` }
    }
    if (isGateAnswer(answer)) return answer
    report(hook, "beforeToolCall", failure("internal", `unknown answer ${JSON.stringify(answer)}; the call passed`))
  } catch (error) {
    report(hook, "beforeToolCall", failureOf(error))
  }
  return { answer: "ok" }
}

function isGateAnswer(value: unknown): value is GateAnswer {
  const answer = typeof value === "object" && value !== null && "answer" in value ? value.answer : undefined
  return answer === "ok" || answer === "block" || answer === "cancel"
}

/** The promise's value within `timeMs`; after that `late`, or a throw when no `late` is given. */
function limited<T>(pending: Promise<T>, clock: Clock, timeMs: number, late?: T | symbol): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = clock.timer(timeMs, () => {
      if (late === undefined) reject(new Error(`no answer after ${timeMs} ms; skipped`))
      else resolve(late as T)
    })
    pending.then(resolve, reject).finally(cancel)
  })
}
