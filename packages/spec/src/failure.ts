import { phrase } from "./phrase.ts"
import { englishOf, type Phrase, type Text } from "./phrase.ts"

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
  /** The same message and hint for a reader of another language, where they are Gong's own words. */
  readonly phrases?: { readonly message?: Phrase; readonly hint?: Phrase }
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

/** The message as a text that another may quote. */
export function messageOf({ message, phrases }: Pick<Failure, "message" | "phrases">): Text {
  return phrases?.message ?? message
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
  if (thrown instanceof Error && thrown.name === "AbortError") return failure("aborted", phrase`Operation aborted`)
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return failure("internal", message, { cause: thrown })
}
