import { isRecord } from "@gong/spec"
import type { Refusal } from "../wire/classify.ts"

/** `{error: {message, type, code}}`, and the shorter forms that compatible servers use; null when there is no error. */
export function readError(body: unknown): Refusal | null {
  const first = Array.isArray(body) ? body[0] : body
  if (!isRecord(first)) return null
  const error = first["error"]
  if (typeof error === "string") return { message: error, code: "" }
  if (isRecord(error)) return { message: messageOf(error), code: codeOf(error) }
  const bare = messageOf(first)
  return bare === "" || "choices" in first ? null : { message: bare, code: codeOf(first) }
}

function messageOf(error: Readonly<Record<string, unknown>>): string {
  // A router passes on what the provider behind it said.
  const metadata = isRecord(error["metadata"]) ? error["metadata"]["raw"] : undefined
  return [error["message"] ?? error["detail"] ?? error["error_msg"], metadata]
    .filter((text) => typeof text === "string" && text !== "")
    .join(": ")
}

function codeOf(error: Readonly<Record<string, unknown>>): string {
  return [error["type"], error["code"], error["status"]]
    .filter((value) => typeof value === "string" || typeof value === "number")
    .join(" ")
}
