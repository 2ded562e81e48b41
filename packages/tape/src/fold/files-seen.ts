import { type CommandSpan, type Entry, type FilesSeen, isRecord, type SeenFile } from "@gong/spec"
import { type Fold, mayHaveRole, indexesWhere } from "./fold.ts"

/** The most commands that are kept; files that an older one changed may have to be read once more. */
const maxCommands = 1000

/** The files that were read, written, mentioned or shown on this branch, and when its commands ran (engine D9). */
export const filesSeen: Fold<FilesSeen> = {
  initial: () => ({ files: new Map(), commands: [] }),
  step(state, entry) {
    const details = detailsOf(entry)
    const seen = entry.type === "input" ? entry.seen : details?.["seen"]
    for (const file of Array.isArray(seen) ? seen : [seen]) if (isSeenFile(file)) recordSeen(state, file)
    const commands = state.commands as CommandSpan[]
    for (const span of details ? spansOf(details) : []) if (commands.push(span) > maxCommands) commands.shift()
    return state
  },
  needs: (branch) => indexesWhere(branch, (head) => head.type === "input" || mayHaveRole(head, "tool")),
}

function detailsOf(entry: Entry): Readonly<Record<string, unknown>> | null {
  return entry.type === "message" && entry.message.role === "tool" ? entry.message.details : null
}

function recordSeen({ files }: FilesSeen, file: SeenFile): void {
  const old = files.get(file.path)
  const isSame = old !== undefined && old.size === file.size && old.mtimeMs === file.mtimeMs
  // Reading a part of an unchanged file again must not drop its hash.
  const kept = isSame && old.sha256 !== undefined && file.sha256 === undefined ? old : file
  ;(files as Map<string, SeenFile>).set(file.path, kept)
}

/** The time spans of the call, if it is a command, and of commands that hooks ran after it. */
function spansOf(details: Readonly<Record<string, unknown>>): readonly CommandSpan[] {
  const hooks = Array.isArray(details["hooks"]) ? details["hooks"].filter(isRecord) : []
  return [details, ...hooks].map(spanOf).filter((span) => span !== null)
}

/** The span of a command, from its start and duration. */
function spanOf({ started_at: from, duration_ms: ms }: Readonly<Record<string, unknown>>): CommandSpan | null {
  return typeof from === "number" && typeof ms === "number" ? { from, to: from + ms } : null
}

/** Details may be written by any tool, including those of extensions and other programs. */
function isSeenFile(value: unknown): value is SeenFile {
  const { path, size, mtimeMs, sha256 } = isRecord(value) ? value : {}
  const hasNumbers = typeof size === "number" && typeof mtimeMs === "number"
  return typeof path === "string" && hasNumbers && (sha256 === undefined || typeof sha256 === "string")
}
