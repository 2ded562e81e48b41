import { undoCompaction } from "@gong/tape"
import { builtInDeclarations } from "@gong/tools"
import { changedFiles } from "@gong/app/compose/tools/changed-files"
import { hostOfTape } from "@gong/app/compose/hosts"
import { tapeStorage } from "@gong/app/compose/tapes/storage"
import { openToWrite } from "@gong/app/compose/tapes/tape"
import { newestSession, findSession } from "@gong/app/compose/tapes/find-session"
import type { Options } from "../command-line/flags.ts"
import { printUsageError } from "../command-line/usage-error.ts"
import { attempt, must, ok, usage } from "@gong/config/usage"
import { compactionUndoneText, undoneText } from "@gong/app/administration/undo-texts"
import { undo as undoChanges, type UndoDeps } from "@gong/session/changes/undo"
import type { Cli } from "../cli.ts"

/**
 * `gong undo [--session ID]`: restores the files that a session changed. `gong undo compaction`: undoes its last compaction. Returns
 * the exit status: 1 if a file could not be restored.
 */
export async function undo(cli: Cli, options: Options, words: readonly string[]): Promise<number> {
  const undoing = await attempt(async (): Promise<UndoOutput> => {
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
  if (!undoing.ok) return printUsageError(cli, undoing.error)
  const { text, failed } = undoing.value
  cli.out(text)
  if (failed === 0) return 0
  cli.err(
    failed === 1
      ? cli.t`gong: 1 file was not restored; gong undo retries it.\n`
      : cli.t`gong: ${failed} files were not restored; gong undo retries them.\n`,
  )
  return 1
}

interface UndoOutput {
  readonly text: string
  readonly failed: number
}
