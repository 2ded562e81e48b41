import { type UsageError, usageLines } from "@gong/config/usage"
import type { OutputStreams } from "../modes/output-streams.ts"

/** Prints a usage error to stderr. Returns its exit status. */
export function printUsageError({ t, err }: Pick<OutputStreams, "t" | "err">, error: UsageError): number {
  for (const line of usageLines(t, error)) err(`${line}\n`)
  return error.exit
}
