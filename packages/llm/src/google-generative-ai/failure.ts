import { isRecord } from "@gong/spec"
import type { Refusal } from "../protocol/errors/classify.ts"
import { detailsOf } from "../protocol/errors/error-details.ts"

/** `{error: {code, message, status, details}}`, alone or in a list; null without an error. */
export function readError(body: unknown): Refusal | null {
  const first = Array.isArray(body) ? body[0] : body
  const error = isRecord(first) ? first["error"] : undefined
  if (!isRecord(error)) return null
  const { reason, ...details } = detailsOf(error)
  const { code } = error
  return {
    ...(typeof code === "number" ? { status: code } : {}),
    message: textOf(error["message"]),
    code: [textOf(error["status"]), reason].filter((text) => text !== "").join(" "),
    ...details,
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}
