import {
  type Hook,
  type HookEvent,
  type HookEventName,
  type HookEvents,
  type TelemetrySubscriber,
  phrase,
} from "@gong/spec"
import type { HookCaller } from "./hook-call.ts"

export interface Watchers {
  emit<N extends HookEventName>(event: N, fields: () => HookEvents[N]): void
  settled(): Promise<void>
}

/** Answers of watchers that may be awaited at once; a watcher that falls so far behind misses events. */
const maxWaiting = 100

/** Those who only look: told at once, waited for by nobody, each with its time. The fields are made only for somebody. */
export function watchers(
  hooks: readonly Hook[],
  { sessionId, telemetry }: { readonly sessionId: string; readonly telemetry?: TelemetrySubscriber | null },
  { caller, quiet }: { readonly caller: HookCaller; readonly quiet: HookCaller },
): Watchers {
  const waiting = new Set<Promise<unknown>>()
  const told = (hook: Hook, event: HookEvent): void => {
    // Who fails at hearing of a failure makes no news of it: two watchers would tell each other without end.
    const by = event.event === "hook.error" ? quiet : caller
    if (waiting.size >= maxWaiting) return by.report(hook, "watch", phrase`${maxWaiting} events wait; one was left out`)
    const answer = by
      .call(hook, "watch", (context) => hook.watch?.(event, context))
      .then((called) => {
        waiting.delete(answer)
        if (called.became === "late") by.report(hook, "watch", phrase`no answer in time; left`)
      })
    waiting.add(answer)
  }
  return {
    emit(name, fields) {
      const looking = telemetry?.wants(name) === true ? telemetry : null
      // Asked each time, as with the other kinds: who is loaded late is put among them late.
      const watching = hooks.filter((hook) => hook.watch)
      if (looking === null && watching.length === 0) return
      // The union has one member for each name, and these are its fields.
      const event = { event: name, session_id: sessionId, ...fields() } as unknown as HookEvent
      looking?.receive(event)
      // Who failed at an event is not told of the failure: it would fail again, without end.
      for (const hook of watching) if (event.event !== "hook.error" || event.hook !== hook.name) told(hook, event)
    },
    async settled() {
      while (waiting.size > 0) await Promise.all(waiting)
    },
  }
}
