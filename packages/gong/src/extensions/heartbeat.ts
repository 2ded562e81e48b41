import type { Clock } from "@gong/spec"

export interface HeartbeatParts {
  readonly clock: Clock
  /** Milliseconds without a sign, after which it counts as silent. */
  readonly silence: number
  /** Somebody waits for it. */
  busy(): boolean
  ping(): void
  silent(): void
}

export interface Heartbeat {
  /** From now on it is listened to; what was before does not count. */
  begin(): void
  heard(): void
  end(): void
}

/** Milliseconds between two looks while somebody waits, and while nobody does. */
const often = 250
const seldom = 30_000
/** Milliseconds in which a sign that is there already gets through, when this thread itself was busy. */
const grace = 250

/** Tells once when the other side has said nothing for too long. */
export function heartbeat({ clock, silence, busy, ping, silent }: HeartbeatParts): Heartbeat {
  /** When the first ping went out that has no answer; null: all have. */
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
