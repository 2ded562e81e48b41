import { type Clock, failureOf, type Hook, type HookAside, type HookContext, messageOf, type Text } from "@gong/spec"

/** Milliseconds that one callback of a hook may take (design section 6). */
export const hookTime = 5_000

export type Callback = Exclude<keyof Hook, "name" | "timeMs">

/** Calls hooks one by one; what goes wrong in one is told and does not leave it. */
export interface HookCaller {
  call<T>(
    hook: Hook,
    callback: Callback,
    work: (context: HookContext) => Promise<T> | undefined,
  ): Promise<Called<T | undefined>>
  report(hook: Hook, callback: Callback, error: Text, stacktrace?: string): void
  /** What an answer says beside its own matter. */
  aside(hook: Hook, said: HookAside | undefined): void
}

/** What became of one callback of a hook. */
export type Called<T> =
  | { readonly became: "answer"; readonly value: T }
  | { readonly became: "error"; readonly message: Text; readonly stack: string }
  | { readonly became: "late" | "left" }

export interface CallBounds {
  readonly clock: Clock
  /** Milliseconds. */
  readonly timeMs: number
  /** Of the run that waits; when it is stopped nobody waits any more. */
  readonly signal?: AbortSignal | undefined
}

/** Calls one callback: it cannot throw, take longer than its time, or hold up a run that was stopped. */
export async function callHook<T>(
  work: (context: HookContext) => Promise<T> | undefined,
  { clock, timeMs, signal }: CallBounds,
): Promise<Called<T | undefined>> {
  const waiting = openWaiting()
  const { promise, resolve } = Promise.withResolvers<Called<T | undefined>>()
  const leave = (): void => resolve({ became: "left" })
  const cancel = clock.timer(timeMs, () => resolve({ became: "late" }))
  if (signal?.aborted) leave()
  else signal?.addEventListener("abort", leave)
  // Wrapped so that a callback that throws at once is no different from one that rejects.
  const called = async () => work(waiting.context)
  called().then((value) => resolve({ became: "answer", value }), failed)
  function failed(error: unknown): void {
    const failure = failureOf(error)
    const stack = error instanceof Error ? error.stack : undefined
    resolve({ became: "error", message: messageOf(failure), stack: stack ?? failure.message })
  }
  try {
    return await promise
  } finally {
    cancel()
    signal?.removeEventListener("abort", leave)
    waiting.over()
  }
}

/** What a callback is told of who waits for it. The signal is made when it is asked for: nearly every callback is over at once. */
function openWaiting(): { readonly context: HookContext; over(): void } {
  let stop: AbortController | null = null
  let isOver = false
  return {
    context: {
      get signal() {
        stop ??= new AbortController()
        if (isOver) stop.abort(over)
        return stop.signal
      },
    },
    over() {
      isOver = true
      stop?.abort(over)
    },
  }
}

// Made once: an abort without a reason builds an error with its stack each time.
const over = new Error("Nobody waits for this hook any more")

export function timeOf(hook: Hook): number {
  return hook.timeMs ?? hookTime
}
