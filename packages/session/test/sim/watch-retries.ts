import type { PublishedStep } from "@gong/spec"
import type { RareState } from "./counts.ts"

export interface RetryWatch {
  /** A retry has begun and not ended. */
  readonly open: boolean
  /** Texts of violations. */
  seen(step: PublishedStep): readonly string[]
  /** Another process starts: activities of the last one are over. */
  restart(): void
}

/** Retries one at a time, each with its end, no more than allowed, and nothing of a reply is used before it is whole. */
export function retryWatch(count: (state: RareState) => void): RetryWatch {
  /** The retry that is waited for or made. */
  let attempt: number | null = null
  let spoke = false
  let ended = false

  function notification({ notification }: Extract<PublishedStep, { notification: unknown }>): readonly string[] {
    if (notification.code === "retry_start") {
      const wrong =
        attempt !== null ||
        notification.attempt > notification.of ||
        notification.of > 3 ||
        notification.delayMs > 75_000
      attempt = notification.attempt
      if (spoke) count("retry after half a reply")
      return wrong ? [`a retry that may not be: ${JSON.stringify(notification)}`] : []
    }
    if (notification.code !== "retry_end") return []
    const wrong = attempt !== notification.attempt
    attempt = null
    count(notification.ok ? "retry helped" : "retry failed")
    if (!notification.ok && notification.attempt === 3) count("retry used up")
    ended = !notification.ok
    return wrong ? ["a retry ended that had not begun"] : []
  }

  function entries(step: Extract<PublishedStep, { entries: unknown }>): readonly string[] {
    const types = step.entries.map(({ type }) => type)
    const stopped = step.entries.some((entry) => entry.type === "run_end" && entry.status === "interrupted")
    if (ended && stopped) count("retry stopped by the user")
    if (types.includes("run_end")) ended = false
    if (attempt === null) return []
    if (types.includes("input")) count("retry steered")
    // A prompt may arrive during a summary, with context added by hooks.
    const early = types.some((type) => !meanwhile.has(type) && !(types.includes("input") && besidePrompt.has(type)))
    return early ? [`between a failure and the end of its retry came ${types.join(", ")}`] : []
  }

  return {
    get open() {
      return attempt !== null
    },
    seen(step) {
      if ("notification" in step) return notification(step)
      if ("entries" in step) return entries(step)
      if ("inside" in step) return []
      if (step.partial.type === "start") spoke = false
      else if (step.partial.type === "text") spoke = true
      return []
    },
    restart() {
      attempt = null
      ended = false
    },
  }
}

/** A user's actions, and the failed attempt itself. */
const meanwhile: ReadonlySet<string> = new Set(["model_call", "input", "input_drop"])
const besidePrompt: ReadonlySet<string> = new Set(["custom_message", "model_change", "thinking_level_change"])
