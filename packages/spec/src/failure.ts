/** An expected error as a value. Kinds are closed: a new one makes the compiler show every place that must know it. */
export interface Failure {
  readonly kind: FailureKind
  /** One clear line for a person. Holds no key. */
  readonly message: string
  /** Whether the same request may succeed when it is sent again. Decided where the failure is born. */
  readonly retryable: boolean
  /** HTTP status, where there was one. */
  readonly status?: number
  readonly provider?: string
  /** What the user can do, as one line or command. */
  readonly hint?: string
  /** Milliseconds the provider asked us to wait (`Retry-After`). */
  readonly retryAfterMs?: number
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

/** Makes a failure; whether it is retryable follows from its kind unless `more` says otherwise. */
export function failure(
  kind: FailureKind,
  message: string,
  more: Omit<Partial<Failure>, "kind" | "message"> = {},
): Failure {
  return { kind, message, retryable: retryableKinds.has(kind), ...more }
}

/** Carries a failure through code that can only throw. Callers at the next door turn it back into a value. */
export class FailureError extends Error {
  readonly failure: Failure
  constructor(value: Failure) {
    super(value.message, value.cause === undefined ? undefined : { cause: value.cause })
    this.name = "FailureError"
    this.failure = value
  }
}

/** The failure inside anything that was thrown; what nobody foresaw becomes kind `internal`. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof FailureError) return thrown.failure
  if (thrown instanceof Error && thrown.name === "AbortError") return failure("aborted", "Operation aborted")
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return failure("internal", message, { cause: thrown })
}
