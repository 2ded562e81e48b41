import {
  changedByCommand,
  changesUnrecorded,
  type Declarations,
  failureOf,
  type Host,
  type HostStat,
  messageOf,
  noCopy,
  phrase,
  type Text,
} from "@gong/spec"
import { type AppendEntry, filesSeen, type ReadonlyTape, type Tape } from "@gong/tape"
import { revertChange } from "./merge.ts"
import { type RecordedCall, type OpenChange, openChanges, undoCall, undoType } from "./open-changes.ts"

export interface UndoResult {
  /** As they were before the session's first change. */
  readonly restored: readonly string[]
  /** Without the session's changes, and with what others changed in them since. */
  readonly merged: readonly string[]
  /** Paths that were left as they are, each with the reason. */
  readonly kept: readonly { readonly path: string; readonly reason: Text }[]
  /** Paths that a command changed and of which there is no earlier copy. */
  readonly lost: readonly string[]
  /** How many of the kept ones the disk or the session refused: another try may do better. */
  readonly failed: number
  /** Why commands may have changed more; null when nothing is known to be missing. */
  readonly cut: string | null
}

export interface UndoDeps {
  readonly tape: Tape
  /** Writes an entry, and resolves when it survives a power cut. */
  append(body: AppendEntry): Promise<void>
  readonly host: Host
  readonly declared: Declarations
  /** What a call made of a file with these bytes; null when that cannot be told. */
  remake(call: RecordedCall, path: string, before: Uint8Array): Promise<Uint8Array | null>
}

/**
 * Takes the session's changes of files back. What the session's own commands did to such a file goes with them; what
 * somebody else changed in it stays where the two do not meet, and where they do the file is left alone. Nothing is lost:
 * what is replaced is kept on the tape first.
 */
export async function undo(parts: UndoDeps): Promise<UndoResult> {
  const { tape } = parts
  const restored: string[] = []
  const merged: string[] = []
  const kept: { path: string; reason: Text }[] = []
  const lost: string[] = []
  const ids: string[] = []
  let failed = 0
  const open = tape.follow(openChanges).value
  for (const [path, changes] of open.byPath) {
    if (changes[0]?.entry.before === noCopy) {
      lost.push(path)
      continue
    }
    const took = await revertFile(parts, path, changes, open.begun)
    if (took.ok) {
      ;(took.merged ? merged : restored).push(path)
      ids.push(...changes.map(({ entry }) => entry.id))
    } else {
      kept.push({ path, reason: took.reason })
      if (took.failed === true) failed += 1
    }
  }
  if (ids.length > 0) await parts.append({ type: "custom", customType: undoType, data: { undone: ids } })
  return { restored, merged, kept, failed, lost, cut: open.cut }
}

type FileReverted =
  | { readonly ok: true; readonly merged: boolean }
  | { readonly ok: false; readonly reason: Text; readonly failed?: true }

async function revertFile(
  parts: UndoDeps,
  path: string,
  changes: readonly OpenChange[],
  begun: readonly string[],
): Promise<FileReverted> {
  const { tape, host } = parts
  try {
    const found = await host.stat(path)
    const now = found ? await host.readRange(path, 0, undefined, { real: true }) : null
    const name = now && (await tape.store.artifacts.put(now, { sync: true }))
    if (name === (changes[0]?.entry.before ?? null)) return { ok: true, merged: false }
    const target = await targetOf(parts, { path, bytes: now, name, found, begun }, changes)
    if (target.ok) await replace(parts, { callId: undoCall, path, found, before: name }, target.bytes)
    return target
  } catch (error) {
    return { ok: false, reason: messageOf(failureOf(error)), failed: true }
  }
}

/** A file as undo finds it. */
interface Present {
  readonly path: string
  readonly bytes: Uint8Array | null
  /** Artifacts are named by their content, so names and hashes say the same. */
  readonly name: string | null
  readonly found: HostStat | null
  /** The tools of the session's calls so far. */
  readonly begun: readonly string[]
}

type Target =
  | { readonly ok: true; readonly merged: boolean; readonly bytes: Uint8Array | null }
  | { readonly ok: false; readonly reason: Text }

/** What the file becomes: segment by segment, from the last one back, the session's changes are taken out. */
async function targetOf(parts: UndoDeps, present: Present, changes: readonly OpenChange[]): Promise<Target> {
  const made = changesInEffect(present, changes)
  let bytes = present.bytes
  let whole = made.length > 0 && isUnchangedByOthers(parts, present, made)
  let merged = false
  for (const segment of segmentsOf(parts, present, made).toReversed()) {
    const before = await contentBefore(parts.tape, segment.first)
    if (before === "missing") return { ok: false, reason: phrase`its earlier content is missing from the session` }
    if (whole) bytes = before
    else {
      const found = await mergeSegment(parts, present.path, segment, { before, now: bytes })
      if (!found.ok) return found
      bytes = found.bytes
      merged = true
    }
    // Between two segments somebody else changed the file.
    whole = false
  }
  return { ok: true, merged, bytes }
}

/** Changes that took effect: a crash may have left the last ones recorded and not made. */
function changesInEffect({ name }: Present, changes: readonly OpenChange[]): readonly OpenChange[] {
  const last = changes.findLastIndex(({ entry }) => nameOf(entry.after) === name)
  return last === -1 ? changes : changes.slice(0, last + 1)
}

/** Whether the file is as the session left it, or as its own commands made it since. */
function isUnchangedByOthers(parts: UndoDeps, { name, found, begun }: Present, made: readonly OpenChange[]): boolean {
  const last = made.at(-1)
  if (last === undefined || nameOf(last.entry.after) === name) return true
  if (!ranBetween(parts, begun, last.begun, begun.length)) return false
  return found === null || changedByCommand(parts.tape.follow(filesSeen).value.commands, found.ctimeMs)
}

/** Whether, from one call to another, one ran that may change files unseen: a command, above all. */
function ranBetween({ declared }: UndoDeps, begun: readonly string[], from: number, to: number): boolean {
  return begun.slice(from, to).some((tool) => changesUnrecorded(declared(tool) ?? {}))
}

/** Changes between which nobody but the session changed the file. */
interface Segment {
  readonly first: OpenChange
  readonly last: OpenChange
}

function segmentsOf(parts: UndoDeps, { begun }: Present, changes: readonly OpenChange[]): readonly Segment[] {
  const segments: Segment[] = []
  for (const change of changes) {
    const open = segments.at(-1)
    const ran = open ? ranBetween(parts, begun, open.last.begun, change.begun) : false
    if (open && follows(open.last, change, ran)) segments.splice(-1, 1, { first: open.first, last: change })
    else segments.push({ first: change, last: change })
  }
  return segments
}

function follows(last: OpenChange, next: OpenChange, ran: boolean): boolean {
  const found = next.entry.before
  // A change that was recorded and never made left the file as it was before.
  if (found === nameOf(last.entry.after) || found === last.entry.before) return true
  // What a command found is known where there is a copy; otherwise commands are taken to have made it.
  return ran && (next.entry.file === undefined || found === noCopy)
}

async function mergeSegment(
  { tape, remake }: UndoDeps,
  path: string,
  { last }: Segment,
  { before, now }: { readonly before: Uint8Array | null; readonly now: Uint8Array | null },
): Promise<{ readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly reason: Text }> {
  if (now === null) return { ok: false, reason: phrase`it was deleted by someone else since` }
  if (before === null)
    return { ok: false, reason: phrase`the session made it, and it was changed by someone else since` }
  const unknown = { ok: false, reason: phrase`it was changed by someone else since` } as const
  const basis = await contentBefore(tape, last)
  const after = nameOf(last.entry.after)
  if (basis === "missing" || basis === null || last.call === null || after === null) return unknown
  const left = (await tape.store.artifacts.get(after)) ?? (await remake(last.call, path, basis))
  if (left === null || (await tape.store.artifacts.put(left, { sync: false })) !== after) return unknown
  return revertChange({ left, before, now })
}

/** A file as it is found, and by whom it is replaced. */
export interface Replaced {
  readonly callId: string
  readonly path: string
  readonly found: HostStat | null
  /** Its content as an artifact; null when there is no file. */
  readonly before: string | null
}

/** Puts these bytes in its place, or with null takes it away; on the tape first. */
export async function replace(
  { tape, append, host }: Pick<UndoDeps, "tape" | "append" | "host">,
  { callId, path, found, before }: Replaced,
  bytes: Uint8Array | null,
): Promise<void> {
  const after = bytes && hashOf(await tape.store.artifacts.put(bytes, { sync: false }))
  await append({ type: "change", callId, path, before, after })
  if (bytes === null) return found === null ? undefined : host.remove(path)
  if (found === null) await host.mkdir(path.slice(0, path.lastIndexOf("/")) || "/")
  await host.replaceFile(path, bytes, { expect: found })
}

/** What a file held before a change; null: there was none. */
export async function contentBefore(tape: ReadonlyTape, { entry }: OpenChange): Promise<Uint8Array | null | "missing"> {
  const { before, beforeText } = entry
  if (before === null) return null
  if (beforeText !== undefined) return new TextEncoder().encode(beforeText)
  return (await tape.store.artifacts.get(before)) ?? "missing"
}

/** The artifact that holds what has this hash. */
export function nameOf(hash: string | null): string | null {
  return hash === null ? null : `sha256-${hash}`
}

function hashOf(artifact: string): string {
  return artifact.slice("sha256-".length)
}
