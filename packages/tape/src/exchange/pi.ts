import type { StopReason } from "@gong/spec"

/** How Pi says why a reply ended. */
export const piStopReason: Readonly<Record<StopReason, string>> = {
  stop: "stop",
  length: "length",
  tool_calls: "toolUse",
  error: "error",
  aborted: "aborted",
}

/** One line of a Pi file, of which nothing is known but that it is an object. */
export type PiRecord = Readonly<Record<string, unknown>>
