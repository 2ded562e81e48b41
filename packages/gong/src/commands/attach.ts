import { type Entry, FailureError, phrase, messageOf, type StoredSession } from "@gong/spec"
import { pending, runs, type Tape } from "@gong/tape"
import { type OpenedToFollow, openToFollow, findSession, type TapeStorage } from "@gong/app/compose/tapes/tape"
import { tapeStorage } from "@gong/app/compose/tapes/storage"
import { exitStatus } from "../command-line/exit.ts"
import type { Options } from "../command-line/flags.ts"
import { attempt, must, type Outcome, usage, usageLines } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import type { Cli } from "../cli.ts"
import { writeLines } from "./sessions/answer.ts"
import { type Attached, viewOf, type WatchView } from "./sessions/watch-view.ts"

/** Milliseconds between two looks at a tape: soon enough for a person, two calls on the disk for the machine. */
const lookEvery = 200

/**
 * `gong attach ID`: watches a session that another Gong works in, and only reads. Ends with Ctrl+C, with that Gong, or with
 * `--until idle` when its run has ended. Gives the exit status.
 */
export async function attach(cli: Cli, options: Options, [wanted = ""]: readonly string[]): Promise<number> {
  const watched = await attempt(async () => {
    const place = must(await tapeStorage(cli, options))
    const session = must(await findSession(place, wanted))
    const opened = must(await opening(place, session, options))
    try {
      const attached = { place, session, opened }
      const view = must(await viewOf(cli, attached, options))
      return must(await watch(cli, attached, { view, untilIdle: options.until === "idle" }))
    } finally {
      opened.tape.close()
    }
  })
  if (watched.ok) return watched.value
  for (const line of usageLines(cli.t, watched.error)) cli.err(`${line}\n`)
  return watched.error.exit
}

/** Without `--until idle` somebody must have it: else nothing will ever come. */
async function opening(place: TapeStorage, session: StoredSession, options: Options): Promise<Outcome<OpenedToFollow>> {
  const opened = await openToFollow(place, session)
  if (options.until === "idle" || (await opened.coming.holder()) !== null) return { ok: true, value: opened }
  opened.tape.close()
  const id = shortId(session.id)
  return usage(
    phrase`session ${id} is open in no gong. gong sessions show ${id} shows it; gong --session ${id} goes on with it.`,
  )
}

async function watch(
  cli: Cli,
  { place, session, opened }: Attached,
  { view, untilIdle }: { readonly view: WatchView; readonly untilIdle: boolean },
): Promise<Outcome<number>> {
  const { tape, coming } = opened
  const stop = new AbortController()
  cli.onShutdown(() => stop.abort())
  const isIdle = idleness(tape)
  let pid = (await coming.holder())?.pid ?? null
  await writeLines(cli, view.begin())
  await writeLines(cli, view.taken())
  for (;;) {
    // Looked for before reading, so that what it wrote last is read.
    const holder = await coming.holder()
    pid = holder?.pid ?? pid
    const entries = await guarded(() => coming.next())
    if (!entries.ok) return entries
    view.add(entries.value)
    await writeLines(cli, view.taken())
    const idle = isIdle(entries.value)
    const over = stop.signal.aborted || holder === null || (untilIdle && idle)
    if (!over) {
      await place.clock.sleep(lookEvery, stop.signal).catch(() => undefined)
      continue
    }
    await writeLines(cli, view.end())
    if (cli.shutdown !== null) return { ok: true, value: exitStatus({ status: "interrupted" }, cli.shutdown) }
    if (holder === null && pid !== null)
      cli.err(cli.t`gong: the gong that had session ${shortId(session.id)} (pid ${pid}) has ended.\n`)
    return { ok: true, value: untilIdle && !idle ? 1 : 0 }
  }
}

/** What the disk refuses is told in one line. */
async function guarded<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    if (error instanceof FailureError) return usage(messageOf(error.failure))
    throw error
  }
}

/** Whether no run is under way and none is about to begin, after these entries as well. */
function idleness(tape: Tape): (more: readonly Entry[]) => boolean {
  let run = tape.follow(runs).value
  let inputs = tape.follow(pending).value
  return (more) => {
    for (const entry of more) {
      run = runs.step(run, entry)
      inputs = pending.step(inputs, entry)
    }
    return !run.open && inputs.size === 0
  }
}
