import type { PublishedStep } from "@gong/spec"

/** What became of retries, so that a test can say that each was there. */
export interface RetryCounts {
  helped: number
  failed: number
  /** The third retry failed too. */
  usedUp: number
  /** The run was stopped while a retry was waited for or made. */
  stopped: number
  /** A steer came in between its failure and its end. */
  steered: number
  /** What had come of the reply was dropped. */
  halves: number
}

export interface RetryWatch {
  readonly counts: Readonly<RetryCounts>
  /** A retry has begun and not ended. */
  readonly open: boolean
  /** What must not be, in words. */
  seen(step: PublishedStep): readonly string[]
  /** Another process begins: what the last one had begun is over. */
  restart(): void
}

/** Retries one at a time, each with its end, no more than allowed, and nothing of a reply is used before it is whole. */
export function retryWatch(): RetryWatch {
  const counts: RetryCounts = { helped: 0, failed: 0, usedUp: 0, stopped: 0, steered: 0, halves: 0 }
  /** The retry that is waited for or made. */
  let attempt: number | null = null
  let spoke = false
  let ended = false

  function notice(step: Extract<PublishedStep, { notice: unknown }>): readonly string[] {
    const { notice } = step
    if (notice.code === "retry_start") {
      const wrong = attempt !== null || notice.attempt > notice.of || notice.of > 3 || notice.delayMs > 75_000
      attempt = notice.attempt
      if (spoke) counts.halves += 1
      return wrong ? [`a retry that may not be: ${JSON.stringify(notice)}`] : []
    }
    if (notice.code !== "retry_end") return []
    const wrong = attempt !== notice.attempt
    attempt = null
    counts[notice.ok ? "helped" : "failed"] += 1
    if (!notice.ok && notice.attempt === 3) counts.usedUp += 1
    ended = !notice.ok
    return wrong ? ["a retry ended that had not begun"] : []
  }

  return {
    counts,
    get open() {
      return attempt !== null
    },
    seen(step) {
      if ("notice" in step) return notice(step)
      if ("draft" in step) {
        if (step.draft.type === "start") spoke = false
        else if (step.draft.type === "text") spoke = true
        return []
      }
      const types = step.entries.map(({ type }) => type)
      if (ended && step.entries.some((entry) => entry.type === "run_end" && entry.status === "interrupted"))
        counts.stopped += 1
      if (types.includes("run_end")) ended = false
      if (attempt === null) return []
      if (types.includes("input")) counts.steered += 1
      return types.some((type) => type !== "model_call" && type !== "input")
        ? [`between a failure and the end of its retry came ${types.join(", ")}`]
        : []
    },
    restart() {
      attempt = null
      ended = false
    },
  }
}
