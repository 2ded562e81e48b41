import type { Clock } from "@gong/spec"
import type { Command } from "../command.ts"
import type { JobTable } from "./jobs.ts"
import { tooManyJobs } from "../texts.ts"
import { DEFAULT_TIMEOUT_S } from "../schema.ts"

/** The command continues as this job, after this many seconds. */
export interface Backgrounded {
  readonly number: number
  readonly seconds: number
}

export interface BackgroundTimeout {
  /** Resolves when the command continues in the background. */
  readonly backgrounded: Promise<Backgrounded>
  /** Notes for the model, for example when no more jobs are allowed. */
  readonly notes: readonly string[]
  stop(): void
}

interface Limits {
  readonly site: { readonly clock: Clock }
  readonly jobs: JobTable
  readonly options: { readonly defaultTimeout?: number; readonly background?: boolean }
}

export const MAX_TIMEOUT_S = 3600

/**
 * Ends the wait for a command. An abort or an explicit `timeout` kills it; the default limit moves it to the
 * background.
 */
export function startBackgroundTimeout(
  { site, jobs, options }: Limits,
  command: Command,
  timeout: number | undefined,
  signal: AbortSignal,
): BackgroundTimeout {
  const { promise: backgrounded, resolve } = Promise.withResolvers<Backgrounded>()
  const notes: string[] = []
  const seconds = Math.min(timeout ?? options.defaultTimeout ?? DEFAULT_TIMEOUT_S, MAX_TIMEOUT_S)
  let number: number | null = null
  const background = () => {
    if (number === null && command.exit() === null) number = jobs.add(command)
    if (number !== null) resolve({ number, seconds: Math.round((site.clock.now() - command.startedAt) / 1000) })
    return number
  }
  const onTime = () => {
    const leaves = timeout === undefined && options.background !== false
    if (leaves && background() !== null) return
    if (leaves) notes.push(tooManyJobs(jobs.running()))
    return command.stop({ how: "timeout", seconds })
  }
  const onAbort = () => command.stop({ how: "abort" })
  signal.addEventListener("abort", onAbort, { once: true })
  if (signal.aborted) onAbort()
  const remove = options.background === false ? () => {} : jobs.foreground(background)
  const cancel = seconds > 0 ? site.clock.timer(seconds * 1000, onTime) : () => {}
  return {
    backgrounded,
    notes,
    stop() {
      cancel()
      remove()
      signal.removeEventListener("abort", onAbort)
    },
  }
}
