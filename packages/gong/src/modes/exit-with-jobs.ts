import type { Jobs } from "@gong/spec"
import type { LineReader } from "../terminal/lines.ts"
import type { OutputStreams } from "./output-streams.ts"

/**
 * Confirms an exit while background jobs run. Jobs to keep are detached here; the others end with the session, which is also the
 * default at the end of input.
 */
export async function confirmExitWithJobs(
  jobs: Jobs,
  lines: Pick<LineReader, "question" | "reopen">,
  streams: OutputStreams,
  canKeep: boolean,
): Promise<boolean> {
  const running = jobs.running()
  if (running.length === 0) return true
  const one = running.length === 1
  const names = running.map(({ title }) => title).join(", ")
  const keep = canKeep ? (one ? streams.t`  [k]eep it running` : streams.t`  [k]eep them running`) : ""
  const question = one
    ? streams.t`1 job is running: ${names}. [e]nd it${keep}  [s]tay: `
    : streams.t`${running.length} jobs are running: ${names}. [e]nd them${keep}  [s]tay: `
  lines.reopen()
  for (;;) {
    const answer = await lines.question(question, { fresh: true })
    switch (answer?.trim().toLowerCase()) {
      case undefined:
      case "":
      case "e":
        return true
      case "k":
        if (!canKeep) break
        for (const { number, title } of await jobs.end({ keep: true }))
          streams.err(streams.t`gong: job ${number} (${title}) keeps running; its output is discarded\n`)
        return true
      case "s":
        return false
      default:
    }
  }
}
