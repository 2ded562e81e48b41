import type { Artifacts, TapeInfo } from "@gong/spec"
import type { Tape } from "./tape.ts"

/** A session's history without methods that write. A `Tape` is one. */
export interface ReadonlyTape extends Pick<
  Tape,
  "id" | "leaf" | "has" | "entry" | "branch" | "branchTo" | "all" | "phases" | "entriesOfBranch" | "follow"
> {
  readonly store: { readonly info: TapeInfo; readonly artifacts: Pick<Artifacts, "get"> }
}

/** A tape without methods that write, at run time as well: extensions are not checked by types. */
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
