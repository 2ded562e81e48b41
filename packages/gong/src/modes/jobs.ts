import type { Jobs } from "@gong/spec"
import type { LineReader } from "../terminal/lines.ts"
import type { Surface } from "./surface.ts"

/**
 * Whether to leave while jobs run: those that shall go on are let go here, the others end with the session. Nobody there to
 * answer means that they end.
 */
export async function leaveWithJobs(
  jobs: Jobs,
  lines: LineReader,
  surface: Surface,
  canKeep: boolean,
): Promise<boolean> {
  const running = jobs.running()
  if (running.length === 0) return true
  const one = running.length === 1
  const names = running.map(({ title }) => title).join(", ")
  const keep = canKeep ? (one ? surface.t`  [k]eep it running` : surface.t`  [k]eep them running`) : ""
  const question = one
    ? surface.t`1 job is running: ${names}. [e]nd it${keep}  [s]tay: `
    : surface.t`${running.length} jobs are running: ${names}. [e]nd them${keep}  [s]tay: `
  lines.reopen()
  for (;;) {
    const answer = await lines.ask(question, { fresh: true })
    switch (answer?.trim().toLowerCase()) {
      case undefined:
      case "":
      case "e":
        return true
      case "k":
        if (!canKeep) break
        for (const { number, title } of await jobs.end({ keep: true }))
          surface.err(surface.t`gong: job ${number} (${title}) goes on by itself; what it prints is not kept\n`)
        return true
      case "s":
        return false
      default:
    }
  }
}
