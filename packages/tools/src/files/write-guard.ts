import { changedByCommand, type FilesSeen, type HostStat } from "@gong/spec"
import { agoText } from "./ago.ts"
import { kindOfBytes } from "./files.ts"
import { sha256 } from "../host/digest.ts"
import { linesIn } from "./line-changes.ts"
import { Refusal } from "../result.ts"
import { formatSize } from "../truncate.ts"

/** A file before a call changes it. */
export interface CurrentFile {
  /** The real path, and the path as the model wrote it. */
  readonly path: string
  readonly typed: string
  readonly found: HostStat
  readonly bytes: Uint8Array
}

export interface GuardedWrite {
  readonly after: Uint8Array
  readonly now: number
  readonly isPreview?: boolean
}

/** Refuses unsafe writes in one session (interface 5 A). */
export interface WriteGuard {
  /**
   * Throws a refusal if the file was not read before, or has changed since. `isPreview`: the same write passes again when
   * it is executed.
   */
  check(seen: FilesSeen | undefined, file: CurrentFile, write: GuardedWrite): void
}

/** Remembered refusals: the same write passes the second time. */
const MAX_REFUSALS = 100

/** `refused` holds the writes refused so far in this session. */
export function writeGuard(refused: Set<string>): WriteGuard {
  return {
    check(seen, file, { after, now, isPreview = false }) {
      if (seen === undefined || file.bytes.length === 0) return
      if (isKnown(seen, file)) {
        if (changedByOthers(seen, file)) throw new Refusal(staleText(file, now))
        return
      }
      const write = `${file.path}\0${sha256(file.bytes)}\0${sha256(after)}`
      if (isPreview ? refused.has(write) : refused.delete(write)) return
      refused.add(write)
      for (const oldest of refused) if (refused.size > MAX_REFUSALS) refused.delete(oldest)
      throw new Refusal(unseenText(file, now))
    },
  }
}

/** Whether the file was changed by others since the session read it. False for a file that it never read. */
export function changedByOthers(seen: FilesSeen, { path, found, bytes }: CurrentFile): boolean {
  const known = seen.files.get(path)
  if (known === undefined || changedByCommand(seen.commands, found.ctimeMs)) return false
  if (known.sha256 !== undefined) return known.sha256 !== sha256(bytes)
  return known.size !== found.size || known.mtimeMs !== found.mtimeMs
}

function isKnown(seen: FilesSeen, { path, found }: CurrentFile): boolean {
  return seen.files.has(path) || changedByCommand(seen.commands, found.ctimeMs)
}

function unseenText({ typed, found, bytes }: CurrentFile, now: number): string {
  const isText = "text" in kindOfBytes(bytes)
  const lines = linesIn(bytes)
  const size = isText ? `${lines} ${lines === 1 ? "line" : "lines"}` : `binary, ${formatSize(bytes.length)}`
  const age = agoText(now - found.mtimeMs)
  return `Not written: ${typed} exists (${size}, changed ${age}) and this session has not looked at it. Read it, or send the same write again to replace it. Nothing was changed.`
}

function staleText({ typed, found }: CurrentFile, now: number): string {
  const age = agoText(now - found.ctimeMs)
  return `Not written: ${typed} changed on disk ${age}, after it was read. Read it again; your version was not applied.`
}
