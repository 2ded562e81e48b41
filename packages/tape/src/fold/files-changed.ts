import type { Entry, FileChange } from "@gong/spec"
import { type Fold, mayHaveRole, indexesWhere } from "./fold.ts"

/** The combined changes of each file on this branch, by path, in the order of the first change. */
export type FilesChanged = ReadonlyMap<string, FileChange>

export const filesChanged: Fold<FilesChanged> = {
  initial: () => new Map(),
  step(state, entry) {
    const files = state as Map<string, FileChange>
    for (const change of changesIn(entry)) {
      const merged = mergeChange(files.get(change.path), change)
      if (merged === null) files.delete(change.path)
      else files.set(change.path, merged)
    }
    return files
  },
  needs: (branch) => indexesWhere(branch, (head) => head.type === "change" || mayHaveRole(head, "tool")),
}

/** A result contains the changes of its call; changes by commands are found later and have entries of their own. */
function changesIn(entry: Entry): readonly FileChange[] {
  if (entry.type === "change") return entry.file ? [entry.file] : []
  return entry.type === "message" && entry.message.role === "tool" ? (entry.message.files ?? []) : []
}

/** Two changes of one file combined; null when the file was created and deleted. */
function mergeChange(before: FileChange | undefined, next: FileChange): FileChange | null {
  if (before === undefined) return next
  if (before.change === "created" && next.change === "deleted") return null
  return {
    path: next.path,
    change: kindOf(before.change, next.change),
    added: before.added + next.added,
    removed: before.removed + next.removed,
  }
}

function kindOf(before: FileChange["change"], next: FileChange["change"]): FileChange["change"] {
  if (next === "deleted") return "deleted"
  return before === "created" ? "created" : "modified"
}
