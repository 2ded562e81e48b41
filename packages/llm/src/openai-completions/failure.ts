import { isRecord } from "@gong/spec"
import type { Refusal } from "../protocol/errors/classify.ts"
import { detailsOf } from "../protocol/errors/error-details.ts"

/** `{error: {message, type, code}}` and the shorter forms of compatible servers; null without an error. */
export function readError(body: unknown): Refusal | null {
  const first = Array.isArray(body) ? body[0] : body
  if (!isRecord(first)) return null
  const error = first["error"]
  if (typeof error === "string") return { message: error, code: "" }
  if (isRecord(error)) return refusalIn(error)
  const base = first["base_resp"]
  if (isRecord(base) && base["status_code"]) return refusalOfMiniMax(base)
  return messageOf(first) === "" || Array.isArray(first["choices"]) ? null : refusalIn(first)
}

function refusalIn(error: Readonly<Record<string, unknown>>): Refusal {
  const { reason, ...details } = detailsOf(error)
  const code = [codeOf(error), reason].filter((text) => text !== "").join(" ")
  // llama.cpp says how many tokens its window has.
  const window = typeof error["n_ctx"] === "number" && error["n_ctx"] > 0 ? { contextWindow: error["n_ctx"] } : {}
  return { ...statusOf(error), message: messageOf(error), code, ...details, ...window }
}

/** Routers put the HTTP status into the error code. */
function statusOf({ code }: Readonly<Record<string, unknown>>): Pick<Refusal, "status"> {
  const status = Number(code)
  return status >= 400 && status < 600 ? { status } : {}
}

/** MiniMax sends errors with status 200 and its own code (its list of error codes). */
function refusalOfMiniMax(base: Readonly<Record<string, unknown>>): Refusal {
  const code = Number(base["status_code"])
  const status = statusOfMiniMax.get(code)
  const message = typeof base["status_msg"] === "string" ? base["status_msg"] : ""
  return { ...(status === undefined ? {} : { status }), message, code: String(code) }
}

const statusOfMiniMax: ReadonlyMap<number, number> = new Map([
  ...[1002, 1039, 1041, 2045, 2056].map((code) => [code, 429] as const),
  ...[1004, 2049].map((code) => [code, 401] as const),
  [1008, 402],
  ...[1026, 1042, 2013].map((code) => [code, 400] as const),
])

function messageOf(error: Readonly<Record<string, unknown>>): string {
  // A router passes the upstream provider's error on.
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
