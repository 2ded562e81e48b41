import type { Clock } from "@gong/spec"

export interface HeartbeatDeps {
  readonly clock: Clock
  /** Milliseconds without a message after which the other side counts as silent. */
  readonly silence: number
  /** Whether a call is pending. */
  busy(): boolean
  ping(): void
  silent(): void
}

export interface Heartbeat {
  /** Starts monitoring; earlier silence does not count. */
  begin(): void
  heard(): void
  end(): void
}

/** Milliseconds between pings while a call is pending, and while none is. */
const often = 250
const seldom = 30_000
/** Milliseconds in which a delivered message can still be processed if this thread was busy. */
const grace = 250

/** Calls `silent` once if the other side sends nothing for too long. */
export function heartbeat({ clock, silence, busy, ping, silent }: HeartbeatDeps): Heartbeat {
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
  const look = (): void => {
    if (isSilent()) {
      cancel = clock.timer(grace, judge)
      return
    }
    askedAt ??= clock.now()
    ping()
    frequent = busy()
    cancel = clock.timer(frequent ? often : seldom, look)
  }
  const judge = (): void => {
    if (!isSilent()) return look()
    end()
    silent()
  }
  const isSilent = (): boolean => askedAt !== null && clock.now() - askedAt >= silence
  return {
    begin() {
      if (frequent) return
      cancel()
      look()
    },
    heard() {
      askedAt = null
    },
    end,
  }
}
