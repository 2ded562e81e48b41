import { type Clock, failure, FailureError, type Model, phrase, type Text } from "@gong/spec"

/** Permitted silence of a stream in milliseconds (design section 6). */
export interface SilenceLimits {
  /** Before the first content. */
  readonly firstEvent: number
  /** Between updates of text or arguments. */
  readonly gap: number
  /** During reasoning, and before the first text after it. */
  readonly thinkingGap: number
  /** Bytes without content: pings prove that the connection is alive, not that a reply follows. */
  readonly pings: number
}

export type SilenceSettings = Partial<SilenceLimits>

export function silenceLimitsFor(model: Model, settings: SilenceSettings = {}): SilenceLimits {
  const local = isLocal(model.baseUrl)
  const firstEvent = local ? 600_000 : model.reasoning ? 300_000 : 120_000
  // A busy machine may take more than 30 s for a token; llama.cpp pings only each 30 s.
  return { firstEvent, gap: local ? 120_000 : 30_000, thinkingGap: 300_000, pings: 300_000, ...settings }
}

export interface SilenceTimer {
  /** Bytes were received. */
  bytesReceived(): void
  /** Content was received; `thinking`: it was reasoning. */
  contentReceived(thinking: boolean): void
  stop(): void
}

/** Calls `onStall` once after too long a silence. One timer, which received chunks do not restart. */
export function startSilenceTimer(
  clock: Clock,
  limits: SilenceLimits,
  who: string,
  onStall: (stalled: FailureError) => void,
): SilenceTimer {
  let lastByte = clock.now()
  let lastContent = lastByte
  let limit = limits.firstEvent
  let cancel = clock.timer(limit, check)

  function check(): void {
    const now = clock.now()
    const contentLimit = Math.max(limit, limits.pings)
    const left = Math.min(lastByte + limit, lastContent + contentLimit) - now
    if (left > 0) cancel = clock.timer(left, check)
    else onStall(new FailureError(failure("stalled", stalledText(who, now - lastByte, now - lastContent))))
  }

  function rearm(): void {
    cancel()
    cancel = clock.timer(limit, check)
  }

  return {
    bytesReceived() {
      lastByte = clock.now()
    },
    contentReceived(thinking) {
      lastByte = lastContent = clock.now()
      const now = thinking ? limits.thinkingGap : limits.gap
      if (now === limit) return
      limit = now
      rearm()
    },
    stop: () => cancel(),
  }
}

function stalledText(who: string, silent: number, empty: number): Text {
  if (empty > silent + 1000) return phrase`${who} kept the line open for ${seconds(empty)} without sending any content`
  return phrase`${who} sent nothing for ${seconds(silent)}`
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`
}

/** This machine or a private network, where a model may have to be loaded first. */
export function isLocal(baseUrl: string): boolean {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ""
  if (host === "localhost" || host.endsWith(".localhost") || host.endsWith(".local")) return true
  if (host.startsWith("[")) return /^\[(::1|f[cd]|fe80)/.test(host)
  return /^(127|10)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^169\.254\./.test(host)
}
