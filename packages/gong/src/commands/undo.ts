import { type CompactionUndone, undoCompaction } from "@gong/tape"
import { changedFiles } from "../build/changed-files.ts"
import { tapePlace } from "../build/place.ts"
import { openToWrite, sessionNamed, storedSessions, type TapePlace } from "../build/tape.ts"
import type { Options } from "../config/flags.ts"
import { attempt, must, ok, type Outcome, usage } from "../config/usage.ts"
import { newestOf, shortId, type StoredSession } from "../session/find.ts"
import type { Redone } from "../session/redo.ts"
import { undo as undoChanges, type Undone, type UndoParts } from "../session/undo.ts"
import type { World } from "../world.ts"
import { say, told } from "../texts/say.ts"

/**
 * `gong undo [--session ID]`: puts back the files that a session changed. `gong undo compaction`: takes its last
 * compaction back. Gives the exit status: 1 where a file could not be put back.
 */
export async function undo(world: World, options: Options, words: readonly string[]): Promise<number> {
  const undoing = await attempt(async () => {
    const place = must(await tapePlace(world, options))
    const session = must(options.session === undefined ? newest(place) : await sessionNamed(place, options.session))
    const { tape } = must(openToWrite(place, session))
    try {
      if (words.length > 0) return { text: compactionUndoneText(tape.id, undoCompaction(tape)), failed: 0 }
      const { host, remake } = changedFiles(world, tape)
      const append: UndoParts["append"] = (body) => void tape.append([body], { sync: true })
      const undone = await undoChanges({ tape, append, host: host(), remake })
      return { text: undoneText(tape.id, undone), failed: undone.failed }
    } finally {
      tape.close()
    }
  })
  if (!undoing.ok) {
    for (const line of undoing.error.lines) world.err(`${line}\n`)
    return undoing.error.exit
  }
  const { text, failed } = undoing.value
  world.out(text)
  if (failed === 0) return 0
  world.err(
    failed === 1
      ? say`gong: 1 file was not put back; gong undo tries it again.\n`
      : say`gong: ${failed} files were not put back; gong undo tries them again.\n`,
  )
  return 1
}

/** What was done, as text. */
export function redoneText({ restored, kept }: Redone): string {
  if (restored.length + kept.length === 0) return say`There is no undo to take back.\n`
  const lines = [
    ...restored.map((path) => say`again     ${path}`),
    ...kept.map(({ path, reason }) => say`kept      ${path}: ${told(reason)}`),
  ]
  return `${lines.join("\n")}\n`
}

/** The same of a compaction; null: there was none. */
export function compactionUndoneText(id: string, found: CompactionUndone | null): string {
  if (found === null) return say`Session ${shortId(id)} has no compaction to undo.\n`
  const { undone, left, leaf } = found
  const lines = [say`The conversation is whole again: ${undone.tokensBefore} tokens, as before the compaction.`]
  if (left > 0) {
    const step = `gong sessions fork ${shortId(id)} ${leaf}`
    lines.push(
      say`${left} later message${left === 1 ? " is" : "s are"} not part of it any more; ${step} goes on with the summary.`,
    )
  }
  return `${lines.join("\n")}\n`
}

function newest(place: TapePlace): Outcome<StoredSession> {
  const session = newestOf(storedSessions(place), place.workspace.folder)
  return session
    ? ok(session)
    : usage(say`no session in ${place.workspace.folder} yet. gong sessions --all lists the others.`)
}

/** The same of an undo. */
export function undoneText(id: string, { restored, merged, kept, lost, cut }: Undone): string {
  const nothing = restored.length + merged.length + kept.length + lost.length === 0
  const lines = [
    ...(nothing ? [say`Session ${shortId(id)} changed no files that are not undone.`] : []),
    ...restored.map((path) => say`restored  ${path}`),
    ...merged.map((path) => say`restored  ${path}, with what others changed in it since`),
    ...kept.map(({ path, reason }) => say`kept      ${path}: ${told(reason)}`),
    ...lost.map((path) => say`not restorable: ${path} (changed by a command; no earlier copy)`),
    ...(cut === null ? [] : [say`not looked at: what commands changed in files that are not named here (${cut})`]),
  ]
  return `${lines.join("\n")}\n`
}
