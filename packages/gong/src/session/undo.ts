import type { EntryOf, Host } from "@gong/spec"
import { failureOf } from "@gong/spec"
import type { Fold, Tape } from "@gong/tape"

export interface Undone {
  readonly restored: readonly string[]
  /** Paths that were left as they are, each with the reason. */
  readonly kept: readonly { readonly path: string; readonly reason: string }[]
}

/**
 * Puts every file that this session changed back as it was before the session's first change to it. A file that
 * somebody else changed since is left alone. Nothing is lost: what is replaced is kept on the tape first.
 */
export async function undo(tape: Tape, host: Host): Promise<Undone> {
  const restored: string[] = []
  const kept: { path: string; reason: string }[] = []
  const undone: string[] = []
  for (const [path, changes] of tape.follow(openChanges).value.byPath) {
    const reason = await restore(tape, host, path, changes)
    if (reason === null) {
      restored.push(path)
      undone.push(...changes.map(({ id }) => id))
    } else kept.push({ path, reason })
  }
  if (undone.length > 0) tape.append([{ type: "custom", customType: undoType, data: { undone } }], { sync: true })
  return { restored, kept }
}

const undoType = "gong.undo"
const undoCall = "undo"

/** Null when the file is as it was; else why it is not. */
async function restore(
  tape: Tape,
  host: Host,
  path: string,
  changes: readonly EntryOf<"change">[],
): Promise<string | null> {
  const { artifacts } = tape.store
  const first = changes.at(0)
  if (!first) return null
  try {
    const now = (await host.stat(path)) ? await host.readRange(path, 0) : null
    const current = now ? await artifacts.put(now, { sync: true }) : null
    if (current === first.before) return null
    // Any of ours will do: a change that was recorded and never made leaves the one before it.
    const ours = changes.some(({ after }) => nameOf(after) === current)
    if (!ours) return "it was changed by someone else since"
    const before = await contentBefore(tape, first)
    if (first.before !== null && !before) return "its earlier content is missing from the session"
    const after = first.before === null ? null : hashOf(first.before)
    tape.append([{ type: "change", callId: undoCall, path, before: current, after }], { sync: true })
    if (before) await host.replaceFile(path, before)
    else await host.remove(path)
    return null
  } catch (error) {
    return failureOf(error).message
  }
}

async function contentBefore(tape: Tape, { before, beforeText }: EntryOf<"change">): Promise<Uint8Array | null> {
  if (before === null) return null
  return beforeText === undefined ? tape.store.artifacts.get(before) : new TextEncoder().encode(beforeText)
}

/** Artifacts are named by their content, so names and hashes say the same. */
function nameOf(hash: string | null): string | null {
  return hash === null ? null : `sha256-${hash}`
}

function hashOf(artifact: string): string {
  return artifact.slice("sha256-".length)
}

interface OpenChanges {
  /** Changes that have not been taken back, oldest first. */
  readonly byPath: Map<string, EntryOf<"change">[]>
}

const openChanges: Fold<OpenChanges> = {
  initial: () => ({ byPath: new Map() }),
  step(state, entry) {
    if (entry.type === "change" && entry.callId !== undoCall) {
      state.byPath.set(entry.path, [...(state.byPath.get(entry.path) ?? []), entry])
    }
    if (entry.type === "custom" && entry.customType === undoType) forget(state, entry.data)
    return state
  },
}

function forget(state: OpenChanges, data: unknown): void {
  const undone = new Set((data as { readonly undone: readonly string[] }).undone)
  for (const [path, changes] of state.byPath) {
    const open = changes.filter(({ id }) => !undone.has(id))
    if (open.length > 0) state.byPath.set(path, open)
    else state.byPath.delete(path)
  }
}
