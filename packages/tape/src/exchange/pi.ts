import type { StopReason } from "@gong/spec"

/** Pi's names of stop reasons. */
export const piStopReason: Readonly<Record<StopReason, string>> = {
  stop: "stop",
  length: "length",
  tool_calls: "toolUse",
  error: "error",
  aborted: "aborted",
}

/** One line of a Pi file: an object with unknown fields. */
export type PiRecord = Readonly<Record<string, unknown>>
