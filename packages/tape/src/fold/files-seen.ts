import { isRecord, type SeenFile } from "@gong/spec"
import { type Fold, mayBe, placesWhere } from "./fold.ts"

/** What each file looked like when this branch last looked at it, by real path (engine D9). */
export type FilesSeen = ReadonlyMap<string, SeenFile>

export const filesSeen: Fold<FilesSeen> = {
  initial: () => new Map(),
  step(state, entry) {
    if (entry.type !== "message" || entry.message.role !== "tool") return state
    const seen = entry.message.details?.["seen"]
    for (const file of Array.isArray(seen) ? seen : [seen]) if (isSeenFile(file)) look(state, file)
    return state
  },
  needs: (branch) => placesWhere(branch, (head) => mayBe(head, "tool")),
}

function look(state: FilesSeen, file: SeenFile): void {
  const old = state.get(file.path)
  const isSame = old !== undefined && old.size === file.size && old.mtimeMs === file.mtimeMs
  // A part read again of an unchanged file does not make us forget its hash.
  const kept = isSame && old.sha256 !== undefined && file.sha256 === undefined ? old : file
  ;(state as Map<string, SeenFile>).set(file.path, kept)
}

/** Details are whatever a tool wrote, also one of an extension or of another program. */
function isSeenFile(value: unknown): value is SeenFile {
  if (!isRecord(value)) return false
  const { path, size, mtimeMs, sha256 } = value
  const hasNumbers = typeof size === "number" && typeof mtimeMs === "number"
  return typeof path === "string" && hasNumbers && (sha256 === undefined || typeof sha256 === "string")
}
