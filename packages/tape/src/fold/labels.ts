import { type Fold, indexesWhere } from "./fold.ts"

/** Labels of entries, by the id of the entry. */
export type Labels = ReadonlyMap<string, string>

/** Over all branches: a label stays when its branch is left. */
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
