import { type Entry, type InputKind, phrase, type StoredSession } from "@gong/spec"
import type { Tape } from "@gong/tape"
import type { OpenedToFollow } from "@gong/app/compose/tapes/tape"
import type { TapeStorage } from "@gong/app/compose/tapes/storage"
import type { Options } from "../../command-line/flags.ts"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { eventStream } from "@gong/session/events/event-stream"
import { followedSource } from "@gong/session/events/followed-source"
import { shortId } from "@gong/session/short-id"
import type { Cli } from "../../cli.ts"
import { contextWindowOf, lastRun, sessionEvent } from "./stored-projection.ts"
import { positionOnBranch } from "./show-events.ts"
import { screenSettings } from "../../terminal-screen.ts"
import { screenWatchLines } from "./watch-screen.ts"
import { eventWatchLines, textWatchLines } from "./watch-lines.ts"

export interface AttachedSession {
  readonly place: TapeStorage
  readonly session: StoredSession
  readonly opened: OpenedToFollow
}

/** The output of `gong attach`: the events of `Session.events`, over the files of another process. */
export interface WatchView {
  begin(): Iterable<string>
  /** The lines of pending events. */
  pending(): Iterable<string>
  add(entries: readonly Entry[]): void
  end(): Promise<Iterable<string>>
}

export async function viewOf(
  cli: Cli,
  { place, session, opened }: AttachedSession,
  options: Options,
  leave: () => void,
): Promise<Outcome<WatchView>> {
  const { tape, coming } = opened
  const first = await sessionEvent(tape, session, cli)
  const { model } = first.event
  const followed = followedSource(tape.branch, { model, contextWindow: await contextWindowOf(model) })
  const asEvents = options.output === "events"
  if (!asEvents && options.after !== undefined)
    return usage(phrase`--after works only with "gong attach ID --output events".`)
  const start = asEvents ? startAfter(tape, options.after) : ok(startOfText(tape.branch))
  if (!start.ok) return start
  const { after, hidden } = start.value
  const stream = eventStream(followed.source, { after, partial: false, wake: () => undefined })
  const screen = asEvents ? null : await screenSettings(cli, options)
  const watched = { session, model, holder: await coming.holder(), hidden }
  const lines = asEvents
    ? eventWatchLines(options.after === undefined ? first : null)
    : screen === null
      ? textWatchLines(cli.t, watched)
      : await screenWatchLines(cli, options, { settings: screen, leave, ...watched })
  const last = lastRun(session)
  for (let at = lastInput(tape.branch, "prompt"); at < tape.branch.length; at++) last.add(tape.branch.entry(at))
  return ok({
    begin: lines.begin,
    *pending() {
      for (let events = stream.next(); events !== null; events = stream.next()) {
        const time = stream.time ?? new Date(place.clock.now()).toISOString()
        yield* lines.lines(events.map((event) => ({ event, time })))
      }
      yield* lines.idle()
    },
    add(entries) {
      entries.forEach(last.add)
      followed.add(entries)
    },
    end: async () => lines.end(last.result()),
  })
}

/** The first entry, and the number of entries that are not shown. */
interface Start {
  readonly after: string | null
  readonly hidden: number
}

function startAfter(tape: Tape, after: string | undefined): Outcome<Start> {
  if (after === undefined || positionOnBranch(tape, after) !== null) return ok({ after: after ?? null, hidden: 0 })
  return usage(
    phrase`--after ${after}: the active branch of session ${shortId(tape.id)} has no such entry. Give the "entry" of a line.`,
  )
}

/** From the last message on; earlier entries of the run are read for calls in progress. */
function startOfText(branch: Tape["branch"]): Start {
  const shown = lastInput(branch)
  const begin = Math.min(shown, lastInput(branch, "prompt"))
  return { after: begin > 0 ? branch.head(begin - 1).id : null, hidden: shown - begin }
}

/** The position of the last input (of this kind); 0 for none. */
function lastInput(branch: Tape["branch"], kind?: InputKind): number {
  for (let at = branch.length - 1; at > 0; at--) {
    if (branch.head(at).type !== "input") continue
    const entry = kind === undefined ? null : branch.entry(at)
    if (entry === null || (entry.type === "input" && entry.kind === kind)) return at
  }
  return 0
}
