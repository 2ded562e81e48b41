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
  /** Files that are as they were before the session's first change. */
  readonly restored: readonly string[]
  /** Files without the session's changes and with later changes by others. */
  readonly merged: readonly string[]
  /** Files that did not change, each with the reason. */
  readonly kept: readonly { readonly path: string; readonly reason: Text }[]
  /** Files that a command changed and of which there is no earlier copy. */
  readonly lost: readonly string[]
  /** How many of the kept files failed on the disk or in the session: a second undo may succeed. */
  readonly failed: number
  /** Why changes by commands may be missing; null when none is known to be missing. */
  readonly cut: string | null
}

export interface UndoDeps {
  readonly tape: Tape
  /** Writes an entry; resolves when it is durable. */
  append(body: AppendEntry): Promise<void>
  readonly host: Host
  readonly declared: Declarations
  /** The content that a call made from this content; null when it cannot be computed. */
  remake(call: RecordedCall, path: string, before: Uint8Array): Promise<Uint8Array | null>
  /** The paths to restore; default: all. */
  readonly matches?: ((path: string) => boolean) | undefined
}

/**
 * Reverts the session's changes of files, including those by its commands. Changes by others stay where the two do not conflict;
 * on a conflict the file does not change. Nothing is lost: replaced content is stored first.
 */
export async function undo(deps: UndoDeps): Promise<UndoResult> {
  const { tape, matches = () => true } = deps
  const restored: string[] = []
  const merged: string[] = []
  const kept: { path: string; reason: Text }[] = []
  const lost: string[] = []
  const ids: string[] = []
  let failed = 0
  const open = tape.follow(openChanges).value
  for (const [path, changes] of open.byPath) {
    if (!matches(path)) continue
    if (changes[0]?.entry.before === noCopy) {
      lost.push(path)
      continue
    }
    const took = await revertFile(deps, path, changes, open.begun)
    if (took.ok) {
      ;(took.merged ? merged : restored).push(path)
      ids.push(...changes.map(({ entry }) => entry.id))
    } else {
      kept.push({ path, reason: took.reason })
      if (took.failed === true) failed += 1
    }
  }
  if (ids.length > 0) await deps.append({ type: "custom", customType: undoType, data: { undone: ids } })
  return { restored, merged, kept, failed, lost, cut: open.cut }
}

type FileReverted =
  | { readonly ok: true; readonly merged: boolean }
  | { readonly ok: false; readonly reason: Text; readonly failed?: true }

async function revertFile(
  deps: UndoDeps,
  path: string,
  changes: readonly OpenChange[],
  begun: readonly string[],
): Promise<FileReverted> {
  const { tape, host } = deps
  try {
    const found = await host.stat(path)
    const now = found ? await host.readRange(path, 0, undefined, { real: true }) : null
    const name = now && (await tape.store.artifacts.put(now, { sync: true }))
    if (name === (changes[0]?.entry.before ?? null)) return { ok: true, merged: false }
    const target = await targetOf(deps, { path, bytes: now, name, found, begun }, changes)
    if (target.ok) await replace(deps, { callId: undoCall, path, found, before: name }, target.bytes)
    return target
  } catch (error) {
    return { ok: false, reason: messageOf(failureOf(error)), failed: true }
  }
}

/** A file before the undo. */
interface Present {
  readonly path: string
  readonly bytes: Uint8Array | null
  /** The artifact of its content. Artifacts are named by their hash, so equal names mean equal content. */
  readonly name: string | null
  readonly found: HostStat | null
  /** The tools of the session's calls so far, in order. */
  readonly begun: readonly string[]
}

type Target =
  | { readonly ok: true; readonly merged: boolean; readonly bytes: Uint8Array | null }
  | { readonly ok: false; readonly reason: Text }

/** The content after the undo: the session's changes are removed segment by segment, the last one first. */
async function targetOf(deps: UndoDeps, present: Present, changes: readonly OpenChange[]): Promise<Target> {
  const made = changesInEffect(present, changes)
  let bytes = present.bytes
  let whole = made.length > 0 && isUnchangedByOthers(deps, present, made)
  let merged = false
  for (const segment of segmentsOf(deps, present, made).toReversed()) {
    const before = await contentBefore(deps.tape, segment.first)
    if (before === "missing") return { ok: false, reason: phrase`its earlier content is missing from the session` }
    if (whole) bytes = before
    else {
      const found = await mergeSegment(deps, present.path, segment, { before, now: bytes })
      if (!found.ok) return found
      bytes = found.bytes
      merged = true
    }
    // Between two segments, someone else changed the file.
    whole = false
  }
  return { ok: true, merged, bytes }
}

/** Changes that took effect: before a crash, the last ones may have been recorded and not made. */
function changesInEffect({ name }: Present, changes: readonly OpenChange[]): readonly OpenChange[] {
  const last = changes.findLastIndex(({ entry }) => nameOf(entry.after) === name)
  return last === -1 ? changes : changes.slice(0, last + 1)
}

/** Whether only the session, including its commands, has changed the file. */
function isUnchangedByOthers(deps: UndoDeps, { name, found, begun }: Present, made: readonly OpenChange[]): boolean {
  const last = made.at(-1)
  if (last === undefined || nameOf(last.entry.after) === name) return true
  if (!ranBetween(deps, begun, last.begun, begun.length)) return false
  return found === null || changedByCommand(deps.tape.follow(filesSeen).value.commands, found.ctimeMs)
}

/** Whether between two calls there was one that may change files without a record, above all a command. */
function ranBetween({ declared }: UndoDeps, begun: readonly string[], from: number, to: number): boolean {
  return begun.slice(from, to).some((tool) => changesUnrecorded(declared(tool) ?? {}))
}

/** Consecutive changes by the session, without changes by others in between. */
interface Segment {
  readonly first: OpenChange
  readonly last: OpenChange
}

function segmentsOf(deps: UndoDeps, { begun }: Present, changes: readonly OpenChange[]): readonly Segment[] {
  const segments: Segment[] = []
  for (const change of changes) {
    const open = segments.at(-1)
    const ran = open ? ranBetween(deps, begun, open.last.begun, change.begun) : false
    if (open && follows(open.last, change, ran)) segments.splice(-1, 1, { first: open.first, last: change })
    else segments.push({ first: change, last: change })
  }
  return segments
}

function follows(last: OpenChange, next: OpenChange, ran: boolean): boolean {
  const found = next.entry.before
  // After a change that was recorded and never made, the file is as before.
  if (found === nameOf(last.entry.after) || found === last.entry.before) return true
  // Where there is a copy, the content before a command is known; otherwise the command counts as its author.
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

/** A file before it is replaced, and the call that replaces it. */
export interface Replaced {
  readonly callId: string
  readonly path: string
  readonly found: HostStat | null
  /** The artifact of its content; null when there is no file. */
  readonly before: string | null
}

/** Writes these bytes to the file, or with null removes it; the change is recorded first. */
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

/** The content of a file before a change; null: there was no file. */
export async function contentBefore(tape: ReadonlyTape, { entry }: OpenChange): Promise<Uint8Array | null | "missing"> {
  const { before, beforeText } = entry
  if (before === null) return null
  if (beforeText !== undefined) return new TextEncoder().encode(beforeText)
  return (await tape.store.artifacts.get(before)) ?? "missing"
}

/** The name of the artifact with this hash. */
export function nameOf(hash: string | null): string | null {
  return hash === null ? null : `sha256-${hash}`
}

function hashOf(artifact: string): string {
  return artifact.slice("sha256-".length)
}
