import { type EntryOf, failureOf, messageOf, phrase, type Text } from "@gong/spec"
import type { Fold } from "@gong/tape"
import { idsIn, redoCall, redoType, undoCall, undoType } from "./open-changes.ts"
import { nameOf, replace, type UndoDeps } from "./undo.ts"

export interface RedoResult {
  /** Files that are as they were before the undo. */
  readonly restored: readonly string[]
  /** Files that did not change, each with the reason. */
  readonly kept: readonly { readonly path: string; readonly reason: Text }[]
}

/** Undoes the last undo. A file that was changed since then stays as it is; replaced content is stored first. */
export async function redo(deps: Pick<UndoDeps, "tape" | "append" | "host">): Promise<RedoResult> {
  const { tape } = deps
  const last = tape.follow(lastUndo).value.last
  const restored: string[] = []
  const kept: { path: string; reason: Text }[] = []
  for (const change of last?.replaced ?? []) {
    const reason = await redoFile(deps, change)
    if (reason === null) restored.push(change.path)
    else kept.push({ path: change.path, reason })
  }
  if (last !== null && restored.length > 0) {
    const redone = last.undone.filter((id) => {
      const entry = tape.entry(id)
      return entry?.type === "change" && restored.includes(entry.path)
    })
    await deps.append({ type: "custom", customType: redoType, data: { redone } })
  }
  return { restored, kept }
}

interface LastUndo {
  /** Replacements since the last complete undo. An undo that a crash interrupted has undone nothing. */
  readonly replacing: readonly EntryOf<"change">[]
  readonly last: { readonly replaced: readonly EntryOf<"change">[]; readonly undone: readonly string[] } | null
}

const lastUndo: Fold<LastUndo> = {
  initial: () => ({ replacing: [], last: null }),
  step(state, entry) {
    if (entry.type === "change" && entry.callId === undoCall && entry.imported !== true)
      return { ...state, replacing: [...state.replacing, entry] }
    if (entry.type !== "custom") return state
    if (entry.customType === redoType) return { ...state, last: null }
    if (entry.customType !== undoType) return state
    return { replacing: [], last: { replaced: state.replacing, undone: idsIn(entry.data, "undone") } }
  },
}

/** Null after success, else the reason. */
async function redoFile(
  deps: Pick<UndoDeps, "tape" | "append" | "host">,
  { path, before, after }: EntryOf<"change">,
): Promise<Text | null> {
  const { tape, host } = deps
  try {
    const found = await host.stat(path)
    const now = found ? await host.readRange(path, 0, undefined, { real: true }) : null
    const name = now && (await tape.store.artifacts.put(now, { sync: true }))
    if (name !== nameOf(after)) return phrase`it was changed since the undo`
    const bytes = before === null ? null : await tape.store.artifacts.get(before)
    if (before !== null && bytes === null) return phrase`its earlier content is missing from the session`
    await replace(deps, { callId: redoCall, path, found, before: name }, bytes)
    return null
  } catch (error) {
    return messageOf(failureOf(error))
  }
}
