import { type CompactionUndone, undoCompaction } from "@gong/tape"
import { builtInDeclarations } from "@gong/tools"
import { changedFiles } from "../compose/tools/changed-files.ts"
import { hostOfTape, machineHosts } from "../compose/hosts.ts"
import { tapePlace } from "../compose/tapes/place.ts"
import { newestHere, openToWrite, sessionNamed } from "../compose/tapes/tape.ts"
import type { Options } from "../config/flags.ts"
import { attempt, must, ok, usage, usageLines } from "../config/usage.ts"
import { shortId } from "../session/short-id.ts"
import type { RedoResult } from "../session/changes/redo.ts"
import { undo as undoChanges, type UndoResult, type UndoDeps } from "../session/changes/undo.ts"
import type { World } from "../world.ts"
import type { Translate } from "../texts/translator.ts"

/**
 * `gong undo [--session ID]`: puts back the files that a session changed. `gong undo compaction`: takes its last
 * compaction back. Gives the exit status: 1 where a file could not be put back.
 */
export async function undo(world: World, options: Options, words: readonly string[]): Promise<number> {
  const undoing = await attempt(async (): Promise<Answer> => {
    const place = must(await tapePlace(world, options))
    const session = must(
      await (options.session === undefined ? newestHere(place) : sessionNamed(place, options.session)),
    )
    const { tape } = must(await openToWrite(place, session))
    try {
      if (words.length > 0) return { text: compactionUndoneText(world.t, tape.id, undoCompaction(tape)), failed: 0 }
      const hosts = machineHosts(world)
      const opening = await hostOfTape(hosts, tape)
      const host = must(opening.ok ? ok(opening.host) : usage(opening.reason))
      const append: UndoDeps["append"] = async (body) => {
        tape.append([body], { sync: true })
        await tape.settled()
      }
      const undone = await undoChanges({
        tape,
        append,
        host,
        declared: builtInDeclarations,
        remake: changedFiles(hosts, tape).remake,
      })
      return { text: undoneText(world.t, tape.id, undone), failed: undone.failed }
    } finally {
      tape.close()
    }
  })
  if (!undoing.ok) {
    for (const line of usageLines(world.t, undoing.error)) world.err(`${line}\n`)
    return undoing.error.exit
  }
  const { text, failed } = undoing.value
  world.out(text)
  if (failed === 0) return 0
  world.err(
    failed === 1
      ? world.t`gong: 1 file was not put back; gong undo tries it again.\n`
      : world.t`gong: ${failed} files were not put back; gong undo tries them again.\n`,
  )
  return 1
}

interface Answer {
  readonly text: string
  readonly failed: number
}

/** What was done, as text. */
export function redoneText(t: Translate, { restored, kept }: RedoResult): string {
  if (restored.length + kept.length === 0) return t`There is no undo to take back.\n`
  const lines = [
    ...restored.map((path) => t`again     ${path}`),
    ...kept.map(({ path, reason }) => t`kept      ${path}: ${reason}`),
  ]
  return `${lines.join("\n")}\n`
}

/** The same of a compaction; null: there was none. */
export function compactionUndoneText(t: Translate, id: string, found: CompactionUndone | null): string {
  if (found === null) return t`Session ${shortId(id)} has no compaction to undo.\n`
  const { undone, left, leaf } = found
  const lines = [t`The conversation is whole again: ${undone.tokensBefore} tokens, as before the compaction.`]
  if (left > 0) {
    const step = `gong sessions fork ${shortId(id)} ${leaf}`
    lines.push(
      t`${left} later message${left === 1 ? " is" : "s are"} not part of it any more; ${step} goes on with the summary.`,
    )
  }
  return `${lines.join("\n")}\n`
}

/** The same of an undo. */
export function undoneText(t: Translate, id: string, { restored, merged, kept, lost, cut }: UndoResult): string {
  const nothing = restored.length + merged.length + kept.length + lost.length === 0
  const lines = [
    ...(nothing ? [t`Session ${shortId(id)} changed no files that are not undone.`] : []),
    ...restored.map((path) => t`restored  ${path}`),
    ...merged.map((path) => t`restored  ${path}, with what others changed in it since`),
    ...kept.map(({ path, reason }) => t`kept      ${path}: ${reason}`),
    ...lost.map((path) => t`not restorable: ${path} (changed by a command; no earlier copy)`),
    ...(cut === null ? [] : [t`not looked at: what commands changed in files that are not named here (${cut})`]),
  ]
  return `${lines.join("\n")}\n`
}
