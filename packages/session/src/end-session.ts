import { hookTime } from "@gong/loop"
import type { SessionCore } from "./core.ts"
import type { SessionDeps } from "./deps.ts"

/** As `Session.end`: waits for hooks, at most 5 s, and for what has to be durable. */
export async function endSession({ clock }: Pick<SessionDeps, "clock">, core: SessionCore): Promise<void> {
  const { hooks, notify, tape } = core
  hooks.emit("session.shutdown", () => ({}))
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const cancel = clock.timer(hookTime, resolve)
  await Promise.race([hooks.settled(), timeout])
  cancel()
  for (const notification of hooks.takeNotifications()) notify(notification)
  // A failure was reported to the caller that waited for the entry.
  await tape.settled()?.catch(() => undefined)
}
