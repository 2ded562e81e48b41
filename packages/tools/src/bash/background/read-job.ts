import type { Clock, ToolContext, ToolResult } from "@gong/spec"
import { failed } from "../../result.ts"
import type { Command } from "../command.ts"
import type { JobTable } from "./jobs.ts"
import { startProgress } from "../progress.ts"
import { bashResult, type BashDetails } from "../result.ts"
import { stillEnding, jobEnded, noSuchJob, stillRunning, waitAborted } from "../texts.ts"

export interface JobArgs {
  readonly job: number
  readonly stop?: boolean
}

/** How long to wait for new output or the exit. */
const WAIT_MS = 60_000
/** After the first new output, waits this long to read following output with it. */
const GATHER_MS = 1_000
/** How long to wait for the exit of a killed command. */
const STOP_WAIT_MS = 5_000

/** Output of a job since the last read, and its exit status if it has ended. An ended job is then forgotten. */
export async function readJob(
  jobs: JobTable,
  clock: Clock,
  args: JobArgs,
  context: ToolContext,
): Promise<ToolResult<BashDetails | null>> {
  const command = jobs.get(args.job)
  if (command === undefined) return failed(noSuchJob(args.job, jobs.all()))
  if (args.stop === true) command.stop({ how: "stop" })
  await waitForOutput(command, clock, args.stop === true, context)
  const { output } = command
  const exit = command.exit()
  if (exit === null && context.signal.aborted) return failed(waitAborted(args.job), "aborted")
  if (exit === null && args.stop === true) return failed(stillEnding(args.job))
  const durationMs = clock.now() - command.startedAt
  const note = exit === null ? stillRunning(args.job, durationMs) : jobEnded(args.job, exit)
  if (exit !== null) jobs.forget(args.job)
  const collected = exit === null ? await output.take() : await output.end()
  return bashResult({ command, exit, collected, durationMs, notes: [...command.notes, note], job: args.job })
}

/** Waits for the exit, or for new output plus a moment for more. An abort ends the wait, not the job. */
async function waitForOutput(command: Command, clock: Clock, stopping: boolean, context: ToolContext): Promise<void> {
  const progress = startProgress(clock, (delta) => context.onProgress(delta))
  const first = Promise.withResolvers<void>()
  const aborted = Promise.withResolvers<void>()
  const onAbort = () => aborted.resolve()
  context.signal.addEventListener("abort", onAbort, { once: true })
  command.watch((bytes) => {
    progress.add(bytes)
    if (!stopping) first.resolve()
  })
  if (context.signal.aborted) onAbort()
  if (command.output.fresh() && !stopping) first.resolve()
  const enough = [command.ended, aborted.promise]
  await within(clock, stopping ? STOP_WAIT_MS : WAIT_MS, [...enough, first.promise])
  if (!stopping && command.output.fresh()) await within(clock, GATHER_MS, enough)
  command.watch(null)
  progress.end()
  context.signal.removeEventListener("abort", onAbort)
}

/** Waits for the first of these promises, at most `ms`. */
async function within(clock: Clock, ms: number, reasons: readonly Promise<unknown>[]): Promise<void> {
  const late = Promise.withResolvers<void>()
  const cancel = clock.timer(ms, late.resolve)
  await Promise.race([...reasons, late.promise])
  cancel()
}
