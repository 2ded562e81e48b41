import type { Jobs } from "@gong/spec"
import type { Translate } from "@gong/texts/translator"
import type { Dialogs } from "./dialogs.ts"

export interface ExitOptions {
  readonly t: Translate
  readonly dialogs: Pick<Dialogs, "key">
  /** Jobs in a sandbox end with Gong. */
  readonly canKeep: boolean
  /** Shows a line. */
  print(line: string): void
}

/**
 * Confirms an exit while background jobs run. Jobs to keep are detached here; the others end with the session, which is also the
 * default.
 */
export async function confirmExitWithJobs(jobs: Jobs, { t, dialogs, canKeep, print }: ExitOptions): Promise<boolean> {
  const running = jobs.running()
  if (running.length === 0) return true
  const one = running.length === 1
  const names = running.map(({ title }) => title).join(", ")
  const prompt = one ? t`1 job is running: ${names}.` : t`${running.length} jobs are running: ${names}.`
  const keep = canKeep ? [one ? t`[k]eep it running` : t`[k]eep them running`] : []
  const labels = [one ? t`[e]nd it` : t`[e]nd them`, ...keep, t`[s]tay`]
  const key = await dialogs.key({ prompt, labels, enter: "e" })
  if (key === "k")
    for (const { number, title } of await jobs.end({ keep: true }))
      print(t`gong: job ${number} (${title}) keeps running; its output is discarded`)
  return key !== "s"
}
