export { branchText, type Context, context, messageIds, summaryText } from "./fold/context.ts"
export { type Cost, cost, type Spent } from "./fold/cost.ts"
export { type FilesChanged, filesChanged } from "./fold/files-changed.ts"
export { type RemovedCallIds, removedCallIds } from "./fold/removed-call-ids.ts"
export { textOfEntry } from "./entry-text.ts"
export { filesSeen } from "./fold/files-seen.ts"
export type { Followed } from "./followers.ts"
export { type Branch, branchOf, type Fold, foldBranch, lastIndexWhere } from "./fold/fold.ts"
export { type Labels, labels } from "./fold/labels.ts"
export { shortened, withoutSkill } from "./fold/shorten.ts"
export { sessionName } from "./fold/name.ts"
export { type Pending, pending } from "./fold/pending.ts"
export { type Runs, runs } from "./fold/runs.ts"
export { todos } from "./fold/todos.ts"
export { type Row, type ToolRow, type Transcript, transcript } from "./fold/transcript.ts"
export { type Unfinished, unfinished, type UnfinishedCall } from "./fold/unfinished.ts"
export { type Crc32, entryOfLine, headOfLine, hasValidChecksum, lineOf } from "./line.ts"
export {
  entriesOfPhases,
  type CompactionUndone,
  compactTape,
  labelEntry,
  nameTape,
  undoCompaction,
} from "./operations.ts"
export {
  type AppendEntry,
  type AppendOptions,
  createTape,
  type HandoffOptions,
  type Tape,
  type TapePorts,
} from "./tape.ts"
export { type ReadonlyTape, readonlyTape } from "./readonly.ts"
export { type Segment, treeOf, type TreeStep } from "./tree-of.ts"
