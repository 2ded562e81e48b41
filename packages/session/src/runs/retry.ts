import { phrase, type Phrase, englishOf } from "@gong/spec"
import type { Failure } from "@gong/spec"

/** How often a failed request is sent again, and after which delays. */
export interface RetryPolicy {
  /** 0 to 10; 0: no retries. */
  readonly count: number
  /** Milliseconds before the first retry; each later delay is twice as long. */
  readonly baseMs: number
  /** A number from 0 to below 1: the share of `jitter` that is added to a delay. */
  random(): number
}

/** A failed attempt. */
export interface FailedTry {
  readonly failure: Failure
  /** The number of retries of this request before it. */
  readonly retries: number
  /** Text or calls had arrived. */
  readonly hadOutput: boolean
  /** Text or calls had arrived in an earlier attempt. */
  readonly hadOutputBefore: boolean
}

export type NextTry =
  /** `of`: the maximum number of retries. */
  | { readonly again: true; readonly delayMs: number; readonly of: number }
  | { readonly again: false; readonly failure: Failure }

/** The longest delay between two attempts when the provider names none, in milliseconds. */
const maxBackoff = 8_000
/** The longest delay that a provider may request; after a longer one, the user has to retry. */
const maxRetryAfter = 60_000
/** The random share of a delay, so that many clients that failed together do not retry together. */
const jitter = 0.25

/** Whether and when a request is sent again. After partial output, which costs money, only one retry follows. */
export function nextTry({ failure, retries, hadOutput, hadOutputBefore }: FailedTry, policy: RetryPolicy): NextTry {
  if (!failure.retryable) return { again: false, failure }
  const asked = failure.retryAfterMs ?? 0
  if (asked > maxRetryAfter) return { again: false, failure: withHint(failure, retryLaterHint(asked)) }
  if (retries >= policy.count || (hadOutput && hadOutputBefore)) return { again: false, failure }
  const backoff = Math.min(maxBackoff, policy.baseMs * 2 ** retries)
  const delayMs = Math.round(Math.max(asked, backoff) * (1 + jitter * policy.random()))
  return { again: true, delayMs, of: hadOutput ? retries + 1 : policy.count }
}

function withHint(failure: Failure, hint: Phrase): Failure {
  return { ...failure, hint: englishOf(hint), phrases: { ...failure.phrases, hint } }
}

function retryLaterHint(ms: number): Phrase {
  const wait = ms <= 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`
  return phrase`It wants to be asked again in ${wait}, which is longer than Gong waits by itself.`
}
