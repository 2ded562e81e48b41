import { never, type FailureKind, type RunStatus } from "@gong/spec"

/** What ended the process from outside. */
export type Ending = "hangup" | "interrupt" | "reader-gone" | "terminated" | "unwritable"

const endings: Readonly<Record<Ending, number>> = {
  hangup: 129,
  interrupt: 130,
  "reader-gone": 141,
  terminated: 143,
  // No signal and no reader: stdout itself fails.
  unwritable: 1,
}

/** The exit status of a run (interface part 2). Usage errors never get here: they are `UsageError`, status 2. */
export function exitStatus(
  run: { readonly status: RunStatus; readonly failure?: { readonly kind: FailureKind } },
  ending: Ending = "interrupt",
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
      return endings[ending]
    default:
      return never(run.status)
  }
}
