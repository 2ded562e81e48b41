import type { CompactionUndone } from "@gong/tape"
import type { RedoResult } from "@gong/session/changes/redo"
import type { UndoResult } from "@gong/session/changes/undo"
import { shortId } from "@gong/session/short-id"
import type { Translate } from "@gong/texts/translator"

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
