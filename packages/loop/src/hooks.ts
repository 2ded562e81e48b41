import {
  type Clock,
  type Failure,
  failure,
  failureOf,
  type GateAnswer,
  type Hook,
  type HookCall,
  type HookResult,
  type Message,
  type Notice,
} from "@gong/spec"

/** The hooks of a run, with the two rules that hold for all: a time limit, and an error is reported, not passed on. */
export interface HookRunner {
  beforeToolCall(call: HookCall): Promise<Gated>
  onToolResult(call: HookCall, result: HookResult): Promise<HookResult>
  onContext(messages: readonly Message[]): Promise<readonly Message[]>
  /** What went wrong since the last time, for the user. */
  takeNotices(): readonly Notice[]
}

export type Gated =
  | { readonly answer: "ok"; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly answer: "block"; readonly reason: string }

/**
 * Gates run in order and stop at the first that does not say ok; one that throws or answers nonsense passes and is
 * reported, one that hangs blocks (design section 6). Pipes run in order, each on the former's output.
 */
export function hookRunner(hooks: readonly Hook[], clock: Clock, timeMs: number): HookRunner {
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
        ? pipe("onContext", messages.slice() as readonly Message[], (hook, value) => hook.onContext?.(value.slice()))
        : messages,
    takeNotices: () => notices.splice(0),
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
