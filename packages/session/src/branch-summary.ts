import { type Entry, type Failure, failure, type Message, noUsage, phrase, textNotification } from "@gong/spec"
import { branchOf, context, foldBranch, type Tape } from "@gong/tape"
import { requestRoom } from "./compaction/budget.ts"
import { carriedText, carryOver } from "./compaction/carried.ts"
import type { CompactionContext } from "./compaction/context.ts"
import { branchRequest } from "./compaction/summary.ts"
import { requestSummary, summaryModel } from "./compaction/summarizer.ts"

export type BranchSummary =
  | { readonly status: "done"; readonly text: string }
  /** The branch has no messages. */
  | { readonly status: "nothing" }
  | { readonly status: "failed"; readonly failure: Failure }

/**
 * Has the summary model summarize what only the active branch has when the session continues from `target`. `focus`: what the
 * summary must cover above all, or "". Writes only what the request cost.
 */
export async function summarizeBranch(
  context: CompactionContext,
  target: string,
  focus: string,
  signal: AbortSignal,
): Promise<BranchSummary> {
  const { core, deps } = context
  const messages = messagesOf(leftBehind(core.tape, target))
  if (messages.length === 0) return { status: "nothing" }
  core.notify(textNotification("branch", "info", phrase`summing up the branch that is left`))
  const { model } = await summaryModel(context)
  const request = branchRequest(messages, focus, requestRoom(model, deps.settings().compaction.reserveTokens))
  const answer = await requestSummary(context, { purpose: "branch", ...request }, { usage: noUsage, cost: 0 }, signal)
  if (signal.aborted) return { status: "failed", failure: failure("aborted", phrase`Operation aborted`) }
  if (!answer.ok) return { status: "failed", failure: answer.failure }
  const carried = carriedText(carryOver(null, messages, deps.declared))
  return { status: "done", text: carried === "" ? answer.text : `${answer.text}\n\n${carried}` }
}

/** The entries of the active branch that the branch to `target` does not have. */
function leftBehind({ branch, branchTo }: Tape, target: string): readonly Entry[] {
  const other = branchTo(target)
  let same = 0
  while (other && same < other.length && same < branch.length && other.head(same).id === branch.head(same).id) same++
  return Array.from({ length: branch.length - same }, (_, at) => branch.entry(same + at))
}

/** As the model saw them: after a compaction, its summary. */
function messagesOf(entries: readonly Entry[]): readonly Message[] {
  return foldBranch(context, branchOf(entries)).messages
}
