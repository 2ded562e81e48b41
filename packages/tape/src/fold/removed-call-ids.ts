import { type Fold, indexesWhere } from "./fold.ts"

/** Ids of calls that compactions removed from the context. A later call with the same id could not be told apart. */
export type RemovedCallIds = ReadonlySet<string>

export const removedCallIds: Fold<RemovedCallIds> = {
  initial: () => new Set(),
  step(gone, entry) {
    if (entry.type === "compaction") for (const id of entry.callIds ?? []) (gone as Set<string>).add(id)
    return gone
  },
  needs: (branch) => indexesWhere(branch, ({ type }) => type === "compaction"),
}
