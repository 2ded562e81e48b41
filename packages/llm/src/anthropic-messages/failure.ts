import { isRecord } from "@gong/spec"
import type { Refusal } from "../protocol/errors/classify.ts"

/** `{type: "error", error: {type, message}}`; null without an error. */
export function readError(body: unknown): Refusal | null {
  if (!isRecord(body)) return null
  const error = body["error"]
  if (typeof error === "string") return { message: error, code: "" }
  if (!isRecord(error)) return null
  return { message: textOf(error["message"]), code: textOf(error["type"]) }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}
