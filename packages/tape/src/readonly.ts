import type { Artifacts, TapeInfo } from "@gong/spec"
import type { Tape } from "./tape.ts"

/** A session's history for those who must not write it. A `Tape` is one. */
export interface ReadonlyTape extends Pick<
  Tape,
  "id" | "leaf" | "has" | "entry" | "branch" | "branchTo" | "all" | "phases" | "entriesOfBranch" | "follow"
> {
  readonly store: { readonly info: TapeInfo; readonly artifacts: Pick<Artifacts, "get"> }
}

/** The tape without what writes it: also code without types, as that of extensions, cannot. */
export function readonlyTape(tape: Tape): ReadonlyTape {
  const { id, has, entry, branch, branchTo, all, phases, entriesOfBranch, follow, store } = tape
  const { info, artifacts } = store
  return {
    id,
    has,
    entry,
    branch,
    branchTo,
    all: {
      get length() {
        return all.length
      },
      head: all.head,
      kind: all.kind,
      entry: all.entry,
    },
    phases,
    entriesOfBranch,
    follow,
    store: { info, artifacts: { get: (name) => artifacts.get(name) } },
    get leaf() {
      return tape.leaf
    },
  }
}
