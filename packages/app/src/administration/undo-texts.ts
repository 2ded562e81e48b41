import type { CompactionUndone } from "@gong/tape"
import type { RedoResult } from "@gong/session/changes/redo"
import type { UndoResult } from "@gong/session/changes/undo"
import { shortId } from "@gong/session/short-id"
import type { Translate } from "@gong/texts/translator"

/** The result of a redo. */
export function redoneText(t: Translate, { restored, kept }: RedoResult): string {
  if (restored.length + kept.length === 0) return t`There is no undo to redo.\n`
  const lines = [
    ...restored.map((path) => t`repeated  ${path}`),
    ...kept.map(({ path, reason }) => t`skipped   ${path}: ${reason}`),
  ]
  return `${lines.join("\n")}\n`
}

/** The result of undoing a compaction; null: there was none. */
export function compactionUndoneText(t: Translate, id: string, found: CompactionUndone | null): string {
  if (found === null) return t`Session ${shortId(id)} has no compaction to undo.\n`
  const { undone, left, leaf } = found
  const lines = [t`The conversation is restored: ${undone.tokensBefore} tokens, as before the compaction.`]
  if (left > 0) {
    const step = `gong sessions fork ${shortId(id)} ${leaf}`
    lines.push(
      left === 1
        ? t`1 later message is no longer part of it; ${step} continues with the summary.`
        : t`${left} later messages are no longer part of it; ${step} continues with the summary.`,
    )
  }
  return `${lines.join("\n")}\n`
}

/** The result of an undo. */
export function undoneText(t: Translate, id: string, { restored, merged, kept, lost, cut }: UndoResult): string {
  const nothing = restored.length + merged.length + kept.length + lost.length === 0
  const lines = [
    ...(nothing ? [t`Session ${shortId(id)} has no file changes to undo.`] : []),
    ...restored.map((path) => t`restored  ${path}`),
    ...merged.map((path) => t`restored  ${path}, with later changes by others`),
    ...kept.map(({ path, reason }) => t`skipped   ${path}: ${reason}`),
    ...lost.map((path) => t`not restorable: ${path} (changed by a command; no earlier copy)`),
    ...(cut === null ? [] : [t`not detected: changes by commands in other files (${cut})`]),
  ]
  return `${lines.join("\n")}\n`
}
