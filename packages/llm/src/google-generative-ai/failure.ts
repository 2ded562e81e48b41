import { isRecord } from "@gong/spec"
import type { Refusal } from "../wire/classify.ts"

type Fields = Readonly<Record<string, unknown>>

/** `{error: {code, message, status, details}}`, alone or in a list; null when there is no error. */
export function readError(body: unknown): Refusal | null {
  const first = Array.isArray(body) ? body[0] : body
  const error = isRecord(first) ? first["error"] : undefined
  if (!isRecord(error)) return null
  const details = Array.isArray(error["details"]) ? error["details"].filter(isRecord) : []
  const { code } = error
  const reason = details.map((detail) => textOf(detail["reason"])).find((text) => text !== "") ?? ""
  const retryAfterMs = delayOf(details)
  const exhausted = exhaustedOf(details, reason)
  return {
    ...(typeof code === "number" ? { status: code } : {}),
    message: textOf(error["message"]),
    code: [textOf(error["status"]), reason].filter((text) => text !== "").join(" "),
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
