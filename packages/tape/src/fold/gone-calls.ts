import { type Fold, placesWhere } from "./fold.ts"

/** Ids of calls that compactions took out of the context: a later call with one of them would be told from it by nobody. */
export type GoneCalls = ReadonlySet<string>

export const removedCallIds: Fold<GoneCalls> = {
  initial: () => new Set(),
  step(gone, entry) {
    if (entry.type === "compaction") for (const id of entry.callIds ?? []) (gone as Set<string>).add(id)
    return gone
  },
  needs: (branch) => placesWhere(branch, ({ type }) => type === "compaction"),
}
