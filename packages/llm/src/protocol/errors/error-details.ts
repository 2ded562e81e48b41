import { isRecord } from "@gong/spec"
import type { Refusal } from "./classify.ts"

type Fields = Readonly<Record<string, unknown>>

/** What Google's APIs say beside the words of an error, in all their formats (AIP-193). `reason`: empty when none is given. */
export interface ErrorDetails extends Pick<Refusal, "retryAfterMs" | "exhausted"> {
  readonly reason: string
}

/** Of an error with a list of `details`; of any other nothing. */
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

/** A RetryInfo says it as a duration: seconds, also broken ones, with an `s` at the end. */
function delayOf(details: readonly Fields[]): number | undefined {
  const delay = details.map((detail) => textOf(detail["retryDelay"])).find((text) => /^\d+(\.\d+)?s$/.test(text))
  return delay === undefined ? undefined : Math.round(Number.parseFloat(delay) * 1000)
}

/** The words are the same for a limit per minute and one per day: the ids of the limits tell them apart. */
function exhaustedOf(details: readonly Fields[], reason: string): Refusal["exhausted"] {
  const violations = details.flatMap(({ violations: list }) => (Array.isArray(list) ? list.filter(isRecord) : []))
  const limits = violations.map((violation) => textOf(violation["quotaId"])).join(" ")
  if (reason === "QUOTA_EXHAUSTED" || /per(day|month)|daily/i.test(limits)) return "quota"
  if (reason === "RATE_LIMIT_EXCEEDED" || /per(second|minute|hour)/i.test(limits)) return "rate"
  return delayOf(details) === undefined ? undefined : "rate"
}
