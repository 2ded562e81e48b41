import { phrase } from "./phrase.ts"
import { englishOf, type Phrase, type Text } from "./phrase.ts"

/** An expected error as a value. The kinds are a closed union, so the compiler finds every place that handles them. */
export interface Failure {
  readonly kind: FailureKind
  /** One line for a person, without keys. */
  readonly message: string
  /** Whether the same request may succeed on a retry. Set where the failure is created. */
  readonly retryable: boolean
  /** HTTP status, if there was one. */
  readonly status?: number
  readonly provider?: string
  /** The remedy, as one line or command. */
  readonly hint?: string
  /** Message and hint as phrases, if they are Gong's own text; for translation. */
  readonly phrases?: { readonly message?: Phrase; readonly hint?: Phrase }
  /** Milliseconds to wait, from the provider (`Retry-After`). */
  readonly retryAfterMs?: number
  /** Tokens of the context window, if the refusal of a too long prompt names it. */
  readonly contextWindow?: number
  readonly cause?: unknown
}

export type FailureKind =
  | "auth"
  | "quota"
  | "rate-limit"
  | "overloaded"
  | "context-overflow"
  | "bad-request"
  | "network"
  | "stalled"
  | "bad-reply"
  | "bad-answer"
  | "cut-off"
  | "model-refused"
  | "denied"
  | "limit"
  | "storage"
  | "aborted"
  | "internal"

const retryableKinds: ReadonlySet<FailureKind> = new Set([
  "rate-limit",
  "overloaded",
  "network",
  "stalled",
  "bad-reply",
])

/** Creates a failure. Whether it is retryable follows from its kind, unless `more` overrides it. */
export function failure(
  kind: FailureKind,
  message: Text,
  { hint, ...more }: Omit<Partial<Failure>, "kind" | "message" | "hint" | "phrases"> & { readonly hint?: Text } = {},
): Failure {
  const phrases = {
    ...(typeof message === "string" ? {} : { message }),
    ...(typeof hint === "object" ? { hint } : {}),
  }
  return {
    kind,
    message: englishOf(message),
    retryable: retryableKinds.has(kind),
    ...more,
    ...(hint === undefined ? {} : { hint: englishOf(hint) }),
    ...("message" in phrases || "hint" in phrases ? { phrases } : {}),
  }
}

/** The message as text for use inside another text. */
export function messageOf({ message, phrases }: Pick<Failure, "message" | "phrases">): Text {
  return phrases?.message ?? message
}

/** Carries a failure through code that can only throw. The next package boundary turns it back into a value. */
export class FailureError extends Error {
  readonly failure: Failure
  constructor(value: Failure) {
    super(value.message, value.cause === undefined ? undefined : { cause: value.cause })
    this.name = "FailureError"
    this.failure = value
  }
}

/** The failure of a thrown value; an unexpected error becomes kind `internal`. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof FailureError) return thrown.failure
  if (thrown instanceof Error && thrown.name === "AbortError") return failure("aborted", phrase`Operation aborted`)
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return failure("internal", message, { cause: thrown })
}
