import { openToRead, sessionNamed } from "../../build/tape.ts"
import { attempt, must, ok, type Outcome, usage } from "../../config/usage.ts"
import { shortId } from "../../session/find.ts"
import type { Answer, Asked } from "./answer.ts"
import { type Replayed, replayPassage } from "./replay/passage.ts"
import { type Plan, planOf } from "./replay/plan.ts"
import { readRecording, type Recording } from "./replay/recording.ts"
import { say, told, worded } from "../../texts/say.ts"

/**
 * `gong sessions replay ID`: makes the requests of a recorded session again, with the answers and results that it had, and
 * compares them byte for byte. No key is read, nothing is sent, run or written.
 */
export function replaySession({ place, world }: Asked, wanted: string): Promise<Outcome<Answer>> {
  return attempt(async () => {
    const session = must(await sessionNamed(place, wanted))
    const id = shortId(session.id)
    const recording = must(readRecording(session.path, id))
    const tape = openToRead(place, session)
    try {
      const plan = planOf(tape, recording.exchanges)
      must(plan.passages.length > 0 ? ok(null) : usage(say`the recording of session ${id} has no request of a run.`))
      let replayed: Replayed = { requests: 0, entries: 0, difference: null }
      for (const passage of plan.passages) {
        if (replayed.difference === null) replayed = sum(replayed, await replayPassage(tape, recording, passage))
      }
      const notes = notesOf(plan, recording)
      const text = [verdict(replayed), ...notes].map((line) => world.style.line(line)).join("\n")
      const json = { session: session.id, same: replayed.difference === null, ...replayed, notes }
      return { text: `${text}\n`, json, exit: replayed.difference === null ? 0 : 1 }
    } finally {
      tape.close()
    }
  })
}

function sum(before: Replayed, { requests, entries, difference }: Replayed): Replayed {
  return { requests: before.requests + requests, entries: before.entries + entries, difference }
}

function verdict({ requests, entries, difference }: Replayed): string {
  const counts = `${many(requests, "request")}, ${many(entries, "step")}`
  if (difference === null) return say`replayed ${counts}: the same`
  const { at, path, recorded, replayed } = difference
  const where = path === "" ? "" : say` at ${path}`
  return say`replayed ${counts}: ${placeText(at)} differs${where}\n  recorded: ${told(recorded)}\n  replayed: ${told(replayed)}`
}

function placeText(at: string): string {
  const request = /^request (\d+)$/.exec(at)
  return request === null ? told(at) : say`request ${request[1]}`
}

/** What was not replayed, and what a difference may come of. */
function notesOf({ passages, skipped }: Plan, { exchanges }: Recording): readonly string[] {
  const hooks = Math.max(0, ...exchanges.map(({ set }) => set.hooks))
  const cut = passages.some(({ runs }) => runs.some(({ end }) => end === null))
  return [
    ...(skipped.runs > 0 ? [say`not replayed: ${many(skipped.runs, "run")} of which nothing was recorded`] : []),
    ...(skipped.requests > 0
      ? [
          say`not replayed: ${many(skipped.requests, "request")} outside of a run, such as a compaction that you asked for`,
        ]
      : []),
    ...(cut ? [say`a run whose process ended in the middle was replayed up to there`] : []),
    ...(hooks > 0
      ? [
          say`not run: ${many(hooks, "hook")}; what they changed in requests alone is no step of the session, and shows as a difference`,
        ]
      : []),
  ]
}

function many(count: number, what: string): string {
  return worded(count === 1 ? `{0} ${what}` : `{0} ${what}s`, count)
}
