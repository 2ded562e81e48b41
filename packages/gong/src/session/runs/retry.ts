import { phrase, type Phrase, englishOf } from "@gong/spec"
import type { Failure } from "@gong/spec"

/** How often a request that failed is sent again, and after how long. */
export interface RetryPolicy {
  /** 0 to 10; 0: never. */
  readonly count: number
  /** Milliseconds before the first retry; each further wait is twice as long. */
  readonly baseMs: number
  /** 0 up to but not including 1: by how much of `jitter` a wait is longer. */
  random(): number
}

/** A try that failed. */
export interface FailedTry {
  readonly failure: Failure
  /** Retries of this request before it. */
  readonly retries: number
  /** Words or calls had come. */
  readonly hadOutput: boolean
  /** So they had in a try before it. */
  readonly hadOutputBefore: boolean
}

export type NextTry =
  /** `of`: the retries that there will be at most. */
  | { readonly again: true; readonly delayMs: number; readonly of: number }
  | { readonly again: false; readonly failure: Failure }

/** The longest wait between two tries when the provider names none, in milliseconds. */
const maxBackoff = 8_000
/** The longest wait that a provider may ask for; who asks for more is asked again by the user. */
const maxRetryAfter = 60_000
/** Share of a wait that chance may add, so that many who failed together do not come back together. */
const jitter = 0.25

/** Whether and when a request is sent again. What costs money and has been seen, half a reply, is tried once more only. */
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
