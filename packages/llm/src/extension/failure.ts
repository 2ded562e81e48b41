import { isRecord } from "@gong/spec"
import type { Refusal } from "../protocol/errors/classify.ts"

/** `{message, status?, retryAfterMs?}`; null without a message. */
export function readFailure(piece: unknown): Refusal | null {
  if (!isRecord(piece) || typeof piece["message"] !== "string") return null
  const { message, status, retryAfterMs } = piece
  return {
    message,
    code: "",
    ...(typeof status === "number" && { status }),
    ...(typeof retryAfterMs === "number" && { retryAfterMs: Math.max(0, retryAfterMs) }),
  }
}
