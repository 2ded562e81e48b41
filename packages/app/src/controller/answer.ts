import { failureOf, messageOf, phrase, type Text } from "@gong/spec"
import { type Outcome, sentenceOf } from "@gong/config/usage"

/** A closed set, so that a client may switch over it (interface part 4). */
export type ErrorCode =
  | "bad_json"
  | "unknown_command"
  | "bad_arguments"
  | "busy"
  | "not_found"
  | "protocol"
  | "too_large"
  | "internal"

/** Why a command failed. */
export interface CommandError {
  readonly code: ErrorCode
  /** The problem, in one sentence. */
  readonly message: Text
  /** Advice. */
  readonly hint?: Text
}

/** The result of a command. */
export type Answer<T> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly error: CommandError }

export function done<T>(data: T): Answer<T> {
  return { ok: true, data }
}

export function refuse(code: ErrorCode, message: Text, hint?: Text): Answer<never> {
  return { ok: false, error: { code, message, ...(hint === undefined ? {} : { hint }) } }
}

/** The answer for the outcome of a function. */
export function answerOf<T>(outcome: Outcome<T>, code: ErrorCode = "bad_arguments"): Answer<T> {
  return outcome.ok ? done(outcome.value) : refuse(code, sentenceOf(outcome.error))
}

/** The answer for an error of the session. */
export function refusalFor(error: unknown): Answer<never> {
  const failure = failureOf(error)
  const { kind, phrases } = failure
  const hint = phrases?.hint ?? failure.hint
  if (kind === "denied" || kind === "limit") return refuse("busy", messageOf(failure), hint)
  return refuse(kind === "bad-request" ? "bad_arguments" : "internal", messageOf(failure), hint)
}

/** The error as one text with its hint. */
export function errorText({ message, hint }: CommandError): Text {
  return hint === undefined ? message : phrase`${message} (${hint})`
}
