import type { SeenFile, ToolResult, ToolStatus } from "@gong/spec"
import { toolResult } from "../result.ts"
import { cutOf, type Cut } from "../truncate.ts"
import type { Command } from "./command.ts"
import type { Collected } from "./output/output.ts"
import { resultText, type ExitReason } from "./texts.ts"

export type BashDetails = {
  readonly command: string
  /** Null if a signal ended it, and while it runs. */
  readonly exit_code: number | null
  /** Milliseconds since the epoch. */
  readonly started_at: number
  readonly duration_ms: number
  readonly truncated: boolean
  /** The job number of a background command. */
  readonly job?: number
  readonly signal?: string
  readonly truncation?: Cut
  readonly fullOutputPath?: string
  /** The ends of both streams, if both have output. */
  readonly stdout?: string
  readonly stderr?: string
  /** Files that the command displayed, for example with cat. */
  readonly seen?: readonly SeenFile[]
}

export interface Outcome {
  readonly command: Pick<Command, "text" | "startedAt">
  /** Null while it runs. */
  readonly exit: ExitReason | null
  readonly collected: Collected
  readonly durationMs: number
  readonly notes: readonly string[]
  readonly job?: number
  readonly seen?: readonly SeenFile[]
}

export function bashResult(outcome: Outcome): ToolResult<BashDetails> {
  const { command, exit, collected, durationMs, notes, job, seen = [] } = outcome
  const { truncation, tails, path } = collected
  const details: BashDetails = {
    command: command.text,
    exit_code: exit?.how === "exit" ? exit.code : null,
    started_at: command.startedAt,
    duration_ms: durationMs,
    truncated: truncation.truncated,
    ...(job !== undefined && { job }),
    ...(exit?.how === "signal" && { signal: exit.signal }),
    ...(truncation.truncated && { truncation: cutOf(truncation) }),
    ...(truncation.truncated && path !== undefined && { fullOutputPath: path }),
    ...(seen.length > 0 && { seen }),
    ...(tails.stdout !== "" && tails.stderr !== "" && tails),
  }
  const status = statusOf(exit)
  const isError = status !== "ok" && status !== "background"
  return { ...toolResult(resultText(collected, exit, notes), details, isError), status }
}

function statusOf(exit: ExitReason | null): ToolStatus {
  switch (exit?.how) {
    case undefined:
      return "background"
    case "abort":
      return "aborted"
    case "timeout":
      return "timeout"
    case "stop":
      return "ok"
    case "exit":
      return exit.code === 0 ? "ok" : "error"
    case "signal":
      return "error"
  }
}
