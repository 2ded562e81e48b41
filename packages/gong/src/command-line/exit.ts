import { never, type FailureKind, type RunStatus } from "@gong/spec"

/** External causes of an exit. */
export type ShutdownCause = "hangup" | "interrupt" | "broken-pipe" | "terminated" | "write-error"

const shutdownStatus: Readonly<Record<ShutdownCause, number>> = {
  hangup: 129,
  interrupt: 130,
  "broken-pipe": 141,
  terminated: 143,
  // No signal and no closed reader: stdout itself fails.
  "write-error": 1,
}

/** The exit status of a run (interface part 2). Usage errors have status 2 (`UsageError`). */
export function exitStatus(
  run: { readonly status: RunStatus; readonly failure?: { readonly kind: FailureKind } },
  shutdown: ShutdownCause = "interrupt",
): number {
  switch (run.status) {
    case "done":
      return 0
    case "failed":
      return run.failure?.kind === "bad-answer" ? 5 : 1
    case "limit":
      return 3
    case "refused":
      return 4
    case "interrupted":
      return shutdownStatus[shutdown]
    default:
      return never(run.status)
  }
}
