import { type Clock, failureOf, type Hook, type HookAside, type HookContext, messageOf, type Text } from "@gong/spec"

/** Time limit of one hook callback in milliseconds (design section 6). */
export const hookTime = 5_000

export type Callback = Exclude<keyof Hook, "name" | "timeMs">

/** Calls hooks one at a time; errors are reported and contained. */
export interface HookCaller {
  call<T>(
    hook: Hook,
    callback: Callback,
    work: (context: HookContext) => Promise<T> | undefined,
  ): Promise<Called<T | undefined>>
  report(hook: Hook, callback: Callback, error: Text, stacktrace?: string): void
  /** Handles the fields that every answer may have. */
  aside(hook: Hook, answer: HookAside | undefined): void
}

/** Outcome of one hook callback. */
export type Called<T> =
  | { readonly outcome: "answer"; readonly value: T }
  | { readonly outcome: "error"; readonly message: Text; readonly stack: string }
  | { readonly outcome: "timeout" | "abandoned" }

export interface CallBounds {
  readonly clock: Clock
  /** Time limit in milliseconds. */
  readonly timeMs: number
  /** Signal of the waiting run; on abort the answer is no longer awaited. */
  readonly signal?: AbortSignal | undefined
}

/** Calls one callback. It cannot throw, exceed its time limit, or delay a run that was stopped. */
export async function callHook<T>(
  work: (context: HookContext) => Promise<T> | undefined,
  { clock, timeMs, signal }: CallBounds,
): Promise<Called<T | undefined>> {
  const context = new CallContext()
  const { promise, resolve } = Promise.withResolvers<Called<T | undefined>>()
  const leave = (): void => resolve({ outcome: "abandoned" })
  const cancel = clock.timer(timeMs, () => resolve({ outcome: "timeout" }))
  if (signal?.aborted) leave()
  else signal?.addEventListener("abort", leave)
  // Wrapped, so that a synchronous throw is handled like a rejection.
  const called = async () => work(context)
  called().then((value) => resolve({ outcome: "answer", value }), failed)
  function failed(error: unknown): void {
    const failure = failureOf(error)
    const stack = error instanceof Error ? error.stack : undefined
    resolve({ outcome: "error", message: messageOf(failure), stack: stack ?? failure.message })
  }
  try {
    return await promise
  } finally {
    cancel()
    signal?.removeEventListener("abort", leave)
    context.end()
  }
}

/** Its signal is created on access, since most callbacks return at once. A class, so that the getter is shared. */
class CallContext implements HookContext {
  #stop: AbortController | null = null
  #isOver = false

  get signal(): AbortSignal {
    this.#stop ??= new AbortController()
    if (this.#isOver) this.#stop.abort(over)
    return this.#stop.signal
  }

  end(): void {
    this.#isOver = true
    this.#stop?.abort(over)
  }
}

// Created once: aborting without a reason builds an error with its stack each time.
const over = new Error("Nobody waits for this hook any more")

export function timeOf(hook: Hook): number {
  return hook.timeMs ?? hookTime
}
