import { isRecord } from "@gong/spec"
import type { Refusal } from "./classify.ts"

type Fields = Readonly<Record<string, unknown>>

/** Structured error details of Google's APIs, in all their formats (AIP-193). `reason`: empty for none. */
export interface ErrorDetails extends Pick<Refusal, "retryAfterMs" | "exhausted"> {
  readonly reason: string
}

/** The details of an error; empty for an error without a list of `details`. */
export function detailsOf(error: Fields): ErrorDetails {
  const details = Array.isArray(error["details"]) ? error["details"].filter(isRecord) : []
  const reason = details.map((detail) => textOf(detail["reason"])).find((text) => text !== "") ?? ""
  const retryAfterMs = delayOf(details)
  const exhausted = exhaustedOf(details, reason)
  return {
    reason,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(exhausted === undefined ? {} : { exhausted }),
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}

/** A RetryInfo contains a duration: seconds, possibly with decimals, followed by `s`. */
function delayOf(details: readonly Fields[]): number | undefined {
  const delay = details.map((detail) => textOf(detail["retryDelay"])).find((text) => /^\d+(\.\d+)?s$/.test(text))
  return delay === undefined ? undefined : Math.round(Number.parseFloat(delay) * 1000)
}

/** The message does not distinguish a limit per minute from one per day; the quota ids do. */
function exhaustedOf(details: readonly Fields[], reason: string): Refusal["exhausted"] {
  const violations = details.flatMap(({ violations: list }) => (Array.isArray(list) ? list.filter(isRecord) : []))
  const limits = violations.map((violation) => textOf(violation["quotaId"])).join(" ")
  if (reason === "QUOTA_EXHAUSTED" || /per(day|month)|daily/i.test(limits)) return "quota"
  if (reason === "RATE_LIMIT_EXCEEDED" || /per(second|minute|hour)/i.test(limits)) return "rate"
  return delayOf(details) === undefined ? undefined : "rate"
}
