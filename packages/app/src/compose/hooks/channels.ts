import { channel } from "node:diagnostics_channel"
import type { HookEventName, TelemetrySubscriber } from "@gong/spec"

/** Events as Node's diagnostics channels `gong.session.start`, ...: made and published only while somebody has subscribed. */
export function channelSubscriber(): TelemetrySubscriber {
  const channels = new Map<HookEventName, ReturnType<typeof channel>>()
  const of = (name: HookEventName) => {
    const known = channels.get(name) ?? channel(`gong.${name}`)
    channels.set(name, known)
    return known
  }
  return {
    wants: (name) => of(name).hasSubscribers,
    receive: (event) => of(event.event).publish(event),
  }
}
