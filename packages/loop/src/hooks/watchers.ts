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

/** Maximum number of pending watcher callbacks; further events are dropped. */
const maxWaiting = 100

/** Sends events to watchers without waiting, each with its time limit. The fields are created only if someone receives them. */
export function watchers(
  hooks: readonly Hook[],
  { sessionId, telemetry }: { readonly sessionId: string; readonly telemetry?: TelemetrySubscriber | null },
  { caller, quiet }: { readonly caller: HookCaller; readonly quiet: HookCaller },
): Watchers {
  const waiting = new Set<Promise<unknown>>()
  const deliver = (hook: Hook, event: HookEvent): void => {
    // A failure while handling a failure is not an event: two watchers would trigger each other forever.
    const by = event.event === "hook.error" ? quiet : caller
    if (waiting.size >= maxWaiting)
      return by.report(hook, "watch", phrase`${maxWaiting} events are pending; one was dropped`)
    const answer = by
      .call(hook, "watch", (context) => hook.watch?.(event, context))
      .then((called) => {
        waiting.delete(answer)
        if (called.outcome === "timeout") by.report(hook, "watch", phrase`no answer in time; abandoned`)
      })
    waiting.add(answer)
  }
  return {
    emit(name, fields) {
      const subscriber = telemetry?.wants(name) === true ? telemetry : null
      // Read each time, since hooks may be added late.
      const watching = hooks.filter((hook) => hook.watch)
      if (subscriber === null && watching.length === 0) return
      // The union has one member per name, with these fields.
      const event = { event: name, session_id: sessionId, ...fields() } as unknown as HookEvent
      subscriber?.receive(event)
      // A watcher does not receive its own failure, or it would fail again, forever.
      for (const hook of watching) if (event.event !== "hook.error" || event.hook !== hook.name) deliver(hook, event)
    },
    async settled() {
      while (waiting.size > 0) await Promise.all(waiting)
    },
  }
}
