import type { EntryOf, ToolCall } from "@gong/spec"
import { isRecord, toolCallsOf } from "@gong/spec"
import type { Fold } from "@gong/tape"

/** One recorded change that is not undone. */
export interface OpenChange {
  readonly entry: EntryOf<"change">
  /** The call that made it, with its arguments; null when the tape does not have it. */
  readonly call: RecordedCall | null
  /** The number of calls that had started before. */
  readonly begun: number
}

export interface RecordedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface OpenChanges {
  /** Oldest first. */
  readonly byPath: ReadonlyMap<string, readonly OpenChange[]>
  /** The tools of all calls that have started, in order. */
  readonly begun: readonly string[]
  /** Why changes by commands may be missing; null when none is known to be missing. */
  readonly cut: string | null
}

/** The type of the entry of an incomplete scan for changes by commands; its data is the reason, as a clause. */
export const cutType = "gong.sweep-cut"
export const undoType = "gong.undo"
export const undoCall = "undo"
/** The type of the entry of a redo; its data names the changes that count again. */
export const redoType = "gong.redo"
export const redoCall = "redo"

interface State {
  readonly byPath: Map<string, readonly OpenChange[]>
  /** Undone changes, by id; a redo makes them count again. */
  readonly undone: Map<string, OpenChange>
  /** Calls of the last reply, by id. */
  readonly calls: Map<string, RecordedCall>
  readonly begun: string[]
  cut: string | null
}

export const openChanges: Fold<OpenChanges> = {
  initial: (): State => ({ byPath: new Map(), undone: new Map(), calls: new Map(), begun: [], cut: null }),
  step(open, entry) {
    const state = open as State
    if (entry.type === "message" && entry.message.role === "assistant") setCalls(state, toolCallsOf(entry.message))
    if (entry.type === "tool_start") {
      if (entry.arguments) state.calls.set(entry.callId, { name: entry.name, arguments: entry.arguments })
      state.begun.push(entry.name)
    }
    if (entry.type === "change" && isOwn(entry)) add(state, entry)
    if (entry.type === "custom" && entry.customType === cutType) state.cut = String(entry.data)
    if (entry.type === "custom" && entry.customType === undoType) markUndone(state, entry.data)
    if (entry.type === "custom" && entry.customType === redoType) markRedone(state, entry.data)
    return state
  },
}

function setCalls({ calls }: State, made: readonly ToolCall[]): void {
  calls.clear()
  for (const call of made) calls.set(call.id, call)
}

/** Made by the session itself, and not imported. */
function isOwn({ callId, imported }: EntryOf<"change">): boolean {
  return callId !== undoCall && callId !== redoCall && imported !== true
}

function add({ byPath, calls, begun }: State, entry: EntryOf<"change">): void {
  const change: OpenChange = { entry, call: calls.get(entry.callId) ?? null, begun: begun.length }
  byPath.set(entry.path, [...(byPath.get(entry.path) ?? []), change])
}

function markUndone({ byPath, undone }: State, data: unknown): void {
  const ids = new Set(idsIn(data, "undone"))
  for (const [path, changes] of byPath) {
    const open = changes.filter(({ entry }) => !ids.has(entry.id))
    for (const change of changes) if (ids.has(change.entry.id)) undone.set(change.entry.id, change)
    if (open.length > 0) byPath.set(path, open)
    else byPath.delete(path)
  }
}

/** Ids of changes in the data of an undo or a redo; none where an imported session has other data. */
export function idsIn(data: unknown, key: "undone" | "redone"): readonly string[] {
  const ids = isRecord(data) ? data[key] : undefined
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : []
}

/** Before later changes, since they are older. */
function markRedone({ byPath, undone }: State, data: unknown): void {
  const ids = idsIn(data, "redone")
  const changes = ids.map((id) => undone.get(id)).filter((change) => change !== undefined)
  for (const [path, again] of Map.groupBy(changes, ({ entry }) => entry.path))
    byPath.set(path, [...again, ...(byPath.get(path) ?? [])])
  for (const id of ids) undone.delete(id)
}
