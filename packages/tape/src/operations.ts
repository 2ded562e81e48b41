import type { CompactionBody, Entry, EntryOf, Text } from "@gong/spec"
import { assert, failure, FailureError, phrase } from "@gong/spec"
import { lastIndexWhere, indexesWhere } from "./fold/fold.ts"
import type { Tape } from "./tape.ts"

/**
 * Ends a compaction: begins a phase `compaction` with the summary as its first entry, in one write. From here on the model sees
 * the summary and the entries from `firstKeptEntryId` on. Returns both new entries.
 */
export function compactTape(tape: Tape, compaction: Omit<CompactionBody, "type">): readonly Entry[] {
  return tape.handoff("compaction", { entries: [{ type: "compaction", ...compaction }] })
}

export interface CompactionUndone {
  readonly undone: EntryOf<"compaction">
  /** The number of messages after it, and the last entry of their branch. */
  readonly left: number
  readonly leaf: string
  /** The entry with which the session continues from before the compaction. */
  readonly entry: Entry
}

/**
 * Undoes the last compaction of the active branch: the session continues from before it, with everything that it had replaced
 * (engine D25). Later entries stay on the tape, on the branch that is left. Null when there is none.
 */
export function undoCompaction(tape: Tape): CompactionUndone | null {
  const at = lastIndexWhere(tape.branch, ({ type }) => type === "compaction")
  if (at === -1) return null
  const undone = tape.branch.entry(at) as EntryOf<"compaction">
  assert(undone.parentId !== null, "a compaction stands behind its anchor")
  const left = indexesWhere(tape.branch, ({ type }) => type === "message", at).length
  const { leaf } = tape
  const entry = tape.navigate(undone.parentId, "")
  return { undone, left, leaf: leaf ?? undone.id, entry }
}

/**
 * The entries of the phases with numbers `from` to `to`, in order, without the entries that begin them; none when `from` is
 * greater than `to`. Throws FailureError (`bad-request`) when one of the numbers is not a phase of this tape.
 */
export function entriesOfPhases(tape: Tape, from: number, to: number): readonly Entry[] {
  const phases = tape.phases()
  for (const seq of [from, to]) {
    if (!phases.some((phase) => phase.seq === seq))
      throw bad(phrase`This session has no phase ${seq}, only ${range(phases)}.`)
  }
  const entries: Entry[] = []
  for (const [at, { seq, first }] of phases.entries()) {
    if (seq < from || seq > to) continue
    const end = phases[at + 1]?.first ?? tape.all.length
    for (let place = first; place < end; place++) {
      if (tape.all.head(place).type !== "anchor") entries.push(tape.all.entry(place))
    }
  }
  return entries
}

/** Sets a label on an entry, or with null removes it. Throws FailureError (`bad-request`) when there is no such entry. */
export function labelEntry(tape: Tape, targetId: string, label: string | null): Entry {
  if (!tape.has(targetId)) throw bad(phrase`This session has no step ${targetId}.`)
  return only(tape.append([{ type: "label", targetId, label }], { sync: false }))
}

/** Names the session; the last name counts. */
export function nameTape(tape: Tape, name: string): Entry {
  return only(tape.append([{ type: "session_info", name }], { sync: false }))
}

function only(entries: readonly Entry[]): Entry {
  const [entry] = entries
  assert(entry !== undefined && entries.length === 1, "one body became one entry")
  return entry
}

function bad(message: Text): FailureError {
  return new FailureError(failure("bad-request", message))
}

function range(phases: readonly { readonly seq: number }[]): string {
  const [first, last] = [phases[0], phases.at(-1)]
  return first === undefined || last === undefined ? "none" : `${first.seq} to ${last.seq}`
}
