export { type Context, context } from "./fold/context.ts"
export { type Branch, branchOf, type Fold, foldBranch } from "./fold/fold.ts"
export { type AppendEntry, createTape, type Followed, type Tape, type TapePorts } from "./tape.ts"
