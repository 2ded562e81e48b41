import { type Fold, lastIndexWhere } from "./fold.ts"

/** The name of the session; null without one. The last name counts, on any branch. */
export const sessionName: Fold<string | null> = {
  initial: () => null,
  step: (state, entry) => (entry.type === "session_info" ? entry.name : state),
  needs(tape) {
    const last = lastIndexWhere(tape, ({ type }) => type === "session_info")
    return last === -1 ? [] : [last]
  },
  scope: "tape",
}
