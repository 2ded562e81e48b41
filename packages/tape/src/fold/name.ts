import { type Fold, lastIndexWhere } from "./fold.ts"

/** What the user calls the session; null when it has no name. The last name counts, on whatever branch it was given. */
export const sessionName: Fold<string | null> = {
  initial: () => null,
  step: (state, entry) => (entry.type === "session_info" ? entry.name : state),
  needs(tape) {
    const last = lastIndexWhere(tape, ({ type }) => type === "session_info")
    return last === -1 ? [] : [last]
  },
  scope: "tape",
}
