import { channel } from "node:diagnostics_channel"
import type { HookEventName, TelemetrySubscriber } from "@gong/spec"

/** Publishes events as Node's diagnostics channels `gong.session.start`, ..., only while there are subscribers. */
export function channelSubscriber(): TelemetrySubscriber {
  const channels = new Map<HookEventName, ReturnType<typeof channel>>()
  const of = (name: HookEventName) => {
    const existing = channels.get(name) ?? channel(`gong.${name}`)
    channels.set(name, existing)
    return existing
  }
  return {
    wants: (name) => of(name).hasSubscribers,
    receive: (event) => of(event.event).publish(event),
  }
}
