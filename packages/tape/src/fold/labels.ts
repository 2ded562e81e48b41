import { type Fold, indexesWhere } from "./fold.ts"

/** Marks that people put on entries, by the entry's id. */
export type Labels = ReadonlyMap<string, string>

/** On every branch: a mark stays where it was put, also when the branch that said so was left. */
export const labels: Fold<Labels> = {
  initial: () => new Map(),
  step(state, entry) {
    const marks = state as Map<string, string>
    if (entry.type !== "label") return marks
    if (entry.label === null) marks.delete(entry.targetId)
    else marks.set(entry.targetId, entry.label)
    return marks
  },
  needs: (tape) => indexesWhere(tape, ({ type }) => type === "label"),
  scope: "tape",
}
