import { undoCompaction } from "@gong/tape"
import { builtInDeclarations } from "@gong/tools"
import { changedFiles } from "@gong/app/compose/tools/changed-files"
import { hostOfTape } from "@gong/app/compose/hosts"
import { tapeStorage } from "@gong/app/compose/tapes/storage"
import { newestSession, openToWrite, findSession } from "@gong/app/compose/tapes/tape"
import type { Options } from "../command-line/flags.ts"
import { attempt, must, ok, usage, usageLines } from "@gong/config/usage"
import { compactionUndoneText, undoneText } from "@gong/app/administration/undo-texts"
import { undo as undoChanges, type UndoDeps } from "@gong/session/changes/undo"
import type { Cli } from "../cli.ts"

/**
 * `gong undo [--session ID]`: puts back the files that a session changed. `gong undo compaction`: takes its last
 * compaction back. Gives the exit status: 1 where a file could not be put back.
 */
export async function undo(cli: Cli, options: Options, words: readonly string[]): Promise<number> {
  const undoing = await attempt(async (): Promise<Answer> => {
    const place = must(await tapeStorage(cli, options))
    const session = must(
      await (options.session === undefined ? newestSession(place) : findSession(place, options.session)),
    )
    const { tape } = must(await openToWrite(place, session))
    try {
      if (words.length > 0) return { text: compactionUndoneText(cli.t, tape.id, undoCompaction(tape)), failed: 0 }
      const { hosts } = cli
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
      return { text: undoneText(cli.t, tape.id, undone), failed: undone.failed }
    } finally {
      tape.close()
    }
  })
  if (!undoing.ok) {
    for (const line of usageLines(cli.t, undoing.error)) cli.err(`${line}\n`)
    return undoing.error.exit
  }
  const { text, failed } = undoing.value
  cli.out(text)
  if (failed === 0) return 0
  cli.err(
    failed === 1
      ? cli.t`gong: 1 file was not put back; gong undo tries it again.\n`
      : cli.t`gong: ${failed} files were not put back; gong undo tries them again.\n`,
  )
  return 1
}

interface Answer {
  readonly text: string
  readonly failed: number
}
