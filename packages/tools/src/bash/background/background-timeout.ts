import type { Clock } from "@gong/spec"
import type { Command } from "../command.ts"
import type { JobTable } from "./jobs.ts"
import { tooManyJobs } from "../texts.ts"
import { DEFAULT_TIMEOUT_S } from "../schema.ts"

/** A command went on as this job, after so many seconds. */
export interface Backgrounded {
  readonly number: number
  readonly seconds: number
}

export interface BackgroundTimeout {
  /** Settled when the command goes on without us. */
  readonly backgrounded: Promise<Backgrounded>
  /** Lines for the model on what could not be. */
  readonly notes: readonly string[]
  stop(): void
}

interface Limits {
  readonly site: { readonly clock: Clock }
  readonly jobs: JobTable
  readonly options: { readonly defaultTimeout?: number; readonly background?: boolean }
}

export const MAX_TIMEOUT_S = 3600

/** What ends the wait for a command: an abort and a `timeout` kill it, our own limit leaves it to the background. */
export function startBackgroundTimeout(
  { site, jobs, options }: Limits,
  command: Command,
  timeout: number | undefined,
  signal: AbortSignal,
): BackgroundTimeout {
  const { promise: backgrounded, resolve } = Promise.withResolvers<Backgrounded>()
  const notes: string[] = []
  const seconds = Math.min(timeout ?? options.defaultTimeout ?? DEFAULT_TIMEOUT_S, MAX_TIMEOUT_S)
  const onTime = () => {
    const leaves = timeout === undefined && options.background !== false
    const number = leaves ? jobs.add(command) : null
    if (number !== null) return resolve({ number, seconds })
    if (leaves) notes.push(tooManyJobs(jobs.running()))
    return command.stop({ how: "timeout", seconds })
  }
  const onAbort = () => command.stop({ how: "abort" })
  signal.addEventListener("abort", onAbort, { once: true })
  if (signal.aborted) onAbort()
  const cancel = seconds > 0 ? site.clock.timer(seconds * 1000, onTime) : () => {}
  return {
    backgrounded,
    notes,
    stop() {
      cancel()
      signal.removeEventListener("abort", onAbort)
    },
  }
}
