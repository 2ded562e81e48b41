import type { EntryKind, EntryOf } from "@gong/spec"
import { type Fold, mayHaveRole, indexesWhere } from "./fold.ts"

/** Acknowledged inputs with neither a message nor a drop, by id, oldest first (engine D8). */
export type Pending = ReadonlyMap<string, EntryOf<"input">>

export const pending: Fold<Pending> = {
  initial: () => new Map(),
  step(state, entry) {
    const inputs = state as Map<string, EntryOf<"input">>
    if (entry.type === "input") inputs.set(entry.id, entry)
    else if (entry.type === "input_drop") inputs.delete(entry.inputId)
    else if (entry.type === "message" && entry.inputId !== undefined) inputs.delete(entry.inputId)
    return inputs
  },
  needs(branch) {
    // Imported messages had no input.
    let first = 0
    while (first < branch.length && branch.kind(first).type !== "input") first++
    const matters = (head: EntryKind): boolean =>
      head.type === "input" || head.type === "input_drop" || mayHaveRole(head, "user")
    return indexesWhere(branch, matters, first)
  },
}
