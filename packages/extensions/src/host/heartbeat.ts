import type { Clock } from "@gong/spec"

export interface HeartbeatDeps {
  readonly clock: Clock
  /** Milliseconds without a message after which the other side counts as silent. */
  readonly silence: number
  /** Whether a call is pending. */
  busy(): boolean
  ping(): void
  onSilence(): void
}

export interface Heartbeat {
  /** Starts monitoring; earlier silence does not count. */
  begin(): void
  received(): void
  end(): void
}

/** Milliseconds between pings while a call is pending, and while none is. */
const busyInterval = 250
const idleInterval = 30_000
/** Milliseconds in which a delivered message can still be processed if this thread was busy. */
const grace = 250

/** Calls `silent` once if the other side sends nothing for too long. */
export function heartbeat({ clock, silence, busy, ping, onSilence }: HeartbeatDeps): Heartbeat {
  /** Time of the first unanswered ping; null if all were answered. */
  let askedAt: number | null = null
  let frequent = false
  let cancel = (): void => undefined
  const end = (): void => {
    cancel()
    cancel = () => undefined
    askedAt = null
    frequent = false
  }
  const check = (): void => {
    if (isSilent()) {
      cancel = clock.timer(grace, confirmSilence)
      return
    }
    askedAt ??= clock.now()
    ping()
    frequent = busy()
    cancel = clock.timer(frequent ? busyInterval : idleInterval, check)
  }
  const confirmSilence = (): void => {
    if (!isSilent()) return check()
    end()
    onSilence()
  }
  const isSilent = (): boolean => askedAt !== null && clock.now() - askedAt >= silence
  return {
    begin() {
      if (frequent) return
      cancel()
      check()
    },
    received() {
      askedAt = null
    },
    end,
  }
}
