import { englishOf, phrase } from "@gong/spec"
import { openToRead } from "@gong/app/compose/tapes/tape"
import { findSession } from "@gong/app/compose/tapes/find-session"
import { attempt, must, ok, type Outcome, usage } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import type { CommandOutput, CommandContext } from "./output.ts"
import { type Replayed, replaySegment } from "./replay/segment.ts"
import { type Plan, planOf } from "./replay/plan.ts"
import { readRecording, type Recording } from "./replay/recording.ts"
import type { Translate } from "@gong/texts/translator"

/**
 * `gong sessions replay ID`: repeats a recorded session with its recorded replies and results, and compares its requests byte by
 * byte. Reads no keys, and sends, runs and writes nothing.
 */
export function replaySession({ place, cli }: CommandContext, wanted: string): Promise<Outcome<CommandOutput>> {
  return attempt(async () => {
    const session = must(await findSession(place, wanted))
    const id = shortId(session.id)
    const recording = must(readRecording(session.path, id))
    const tape = await openToRead(place, session)
    try {
      const plan = planOf(tape, recording.exchanges)
      must(plan.segments.length > 0 ? ok(null) : usage(phrase`the recording of session ${id} has no request of a run.`))
      let replayed: Replayed = { requests: 0, entries: 0, difference: null }
      for (const segment of plan.segments) {
        if (replayed.difference === null) replayed = sum(replayed, await replaySegment(tape, recording, segment))
      }
      const notes = notesOf(cli.t, plan, recording)
      const text = [verdict(cli.t, replayed), ...notes].map((line) => cli.style.line(line)).join("\n")
      const json = {
        session: session.id,
        same: replayed.difference === null,
        ...replayed,
        difference: plain(replayed.difference),
        notes,
      }
      return { text: `${text}\n`, json, exit: replayed.difference === null ? 0 : 1 }
    } finally {
      tape.close()
    }
  })
}

/** The JSON form. */
function plain(found: Replayed["difference"]) {
  if (found === null) return null
  const { at, recorded, replayed, ...rest } = found
  return { at: englishOf(at), ...rest, recorded: englishOf(recorded), replayed: englishOf(replayed) }
}

function sum(before: Replayed, { requests, entries, difference }: Replayed): Replayed {
  return { requests: before.requests + requests, entries: before.entries + entries, difference }
}

function verdict(t: Translate, { requests, entries, difference }: Replayed): string {
  const counts = `${many(t, requests, "request")}, ${many(t, entries, "step")}`
  if (difference === null) return t`replayed ${counts}: the same`
  const { at, path, recorded, replayed } = difference
  const where = path === "" ? "" : t` at ${path}`
  return t`replayed ${counts}: ${at} differs${where}\n  recorded: ${recorded}\n  replayed: ${replayed}`
}

/** Notes about parts that were not replayed, and possible causes of a difference. */
function notesOf(t: Translate, { segments, skipped }: Plan, { exchanges }: Recording): readonly string[] {
  const hooks = Math.max(0, ...exchanges.map(({ set }) => set.hooks))
  const cut = segments.some(({ runs }) => runs.some(({ end }) => end === null))
  return [
    ...(skipped.runs > 0 ? [t`not replayed: ${many(t, skipped.runs, "run")} without a recording`] : []),
    ...(skipped.requests > 0
      ? [t`not replayed: ${many(t, skipped.requests, "request")} outside of runs, such as /compact`]
      : []),
    ...(cut ? [t`a run was replayed up to the end of its process`] : []),
    ...(hooks > 0
      ? [
          t`not run: ${many(t, hooks, "hook")}; their changes to requests only are not stored, and appear as differences`,
        ]
      : []),
  ]
}

function many(t: Translate, count: number, what: string): string {
  return t(count === 1 ? `{0} ${what}` : `{0} ${what}s`, count)
}
