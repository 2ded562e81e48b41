import { type Entry, FailureError, phrase, messageOf, type StoredSession } from "@gong/spec"
import { foldBranch, pending, runs, type Tape } from "@gong/tape"
import { type OpenedToFollow, openToFollow } from "@gong/app/compose/tapes/tape"
import { findSession } from "@gong/app/compose/tapes/find-session"
import { type TapeStorage, tapeStorage } from "@gong/app/compose/tapes/storage"
import { exitStatus } from "../command-line/exit.ts"
import type { Options } from "../command-line/flags.ts"
import { printUsageError } from "../command-line/usage-error.ts"
import { attempt, must, type Outcome, usage } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import type { Cli } from "../cli.ts"
import { writeLines } from "./sessions/output.ts"
import { type AttachedSession, viewOf, type WatchView } from "./sessions/watch-view.ts"

/** Milliseconds between two reads of the session, which cost two calls of the disk. */
const pollInterval = 200

/**
 * `gong attach ID`: follows a session of another process, read-only. Ends with Ctrl+C, with that process, or with `--until idle` at
 * the end of its run. Returns the exit status.
 */
export async function attach(cli: Cli, options: Options, [wanted = ""]: readonly string[]): Promise<number> {
  const exit = await attempt(async () => {
    const place = must(await tapeStorage(cli, options))
    const session = must(await findSession(place, wanted))
    const opened = must(await openOwned(place, session, options))
    try {
      const attached = { place, session, opened }
      const stop = new AbortController()
      cli.onShutdown(() => stop.abort())
      const view = must(await viewOf(cli, attached, options, () => stop.abort()))
      return must(await watch(cli, attached, { view, untilIdle: options.until === "idle", stop: stop.signal }))
    } finally {
      opened.tape.close()
    }
  })
  return exit.ok ? exit.value : printUsageError(cli, exit.error)
}

/** Opens a session to follow. Without `--until idle` a process must have it open, or there would be no events. */
async function openOwned(
  place: TapeStorage,
  session: StoredSession,
  options: Options,
): Promise<Outcome<OpenedToFollow>> {
  const opened = await openToFollow(place, session)
  if (options.until === "idle" || (await opened.coming.holder()) !== null) return { ok: true, value: opened }
  opened.tape.close()
  const id = shortId(session.id)
  return usage(
    phrase`session ${id} is not open in another gong. gong sessions show ${id} shows it; gong --session ${id} continues it.`,
  )
}

interface WatchOptions {
  readonly view: WatchView
  readonly untilIdle: boolean
  /** Ends it. */
  readonly stop: AbortSignal
}

async function watch(
  cli: Cli,
  { place, session, opened }: AttachedSession,
  { view, untilIdle, stop }: WatchOptions,
): Promise<Outcome<number>> {
  const { tape, coming } = opened
  const isIdle = idleDetector(tape)
  let pid = (await coming.holder())?.pid ?? null
  await writeLines(cli, view.begin())
  await writeLines(cli, view.pending())
  for (;;) {
    // Checked before the read, so that the last entries of a holder that exits are read.
    const holder = await coming.holder()
    pid = holder?.pid ?? pid
    const entries = await readEntries(() => coming.next())
    if (!entries.ok) {
      await view.end()
      return entries
    }
    view.add(entries.value)
    await writeLines(cli, view.pending())
    const idle = isIdle(entries.value)
    const isOver = stop.aborted || holder === null || (untilIdle && idle)
    if (!isOver) {
      await place.clock.sleep(pollInterval, stop).catch(() => undefined)
      continue
    }
    await writeLines(cli, await view.end())
    if (cli.shutdown !== null) return { ok: true, value: exitStatus({ status: "interrupted" }, cli.shutdown) }
    if (holder === null && pid !== null)
      cli.err(cli.t`gong: the gong with session ${shortId(session.id)} (pid ${pid}) has exited.\n`)
    return { ok: true, value: untilIdle && !idle ? 1 : 0 }
  }
}

/** A disk error is a usage error of one line. */
async function readEntries<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    if (error instanceof FailureError) return usage(messageOf(error.failure))
    throw error
  }
}

/** Returns whether no run is in progress or pending after these entries. */
function idleDetector(tape: Tape): (more: readonly Entry[]) => boolean {
  let run = foldBranch(runs, tape.branch)
  let inputs = foldBranch(pending, tape.branch)
  return (more) => {
    for (const entry of more) {
      run = runs.step(run, entry)
      inputs = pending.step(inputs, entry)
    }
    return !run.open && inputs.size === 0
  }
}
