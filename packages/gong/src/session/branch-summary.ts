import { type Entry, type Failure, failure, type Message, noUsage, phrase, textNotification } from "@gong/spec"
import { branchOf, context, foldBranch, type Tape } from "@gong/tape"
import { requestRoom } from "./compaction/budget.ts"
import { carriedText, carryOver } from "./compaction/carried.ts"
import type { CompactionDeps } from "./compaction/deps.ts"
import { branchRequest } from "./compaction/summary.ts"
import { askForSummary, summarizer } from "./compaction/summarizer.ts"

/** What became of the wish to sum up the branch that is left. */
export type BranchSummary =
  | { readonly status: "done"; readonly text: string }
  /** The model saw nothing on it. */
  | { readonly status: "nothing" }
  | { readonly status: "failed"; readonly failure: Failure }

/**
 * Has the model that writes summaries sum up what is left when the session goes on from `target`: all that the active branch
 * has and the other one has not. `focus`: what it should keep above all, or "". Writes nothing but what it cost.
 */
export async function summariseBranch(
  parts: CompactionDeps,
  target: string,
  focus: string,
  signal: AbortSignal,
): Promise<BranchSummary> {
  const messages = messagesOf(leftBehind(parts.tape, target))
  if (messages.length === 0) return { status: "nothing" }
  parts.notify(textNotification("branch", "info", phrase`summing up the branch that is left`))
  const { compaction, provider } = parts
  const { model } = compaction.provider ? await compaction.provider() : provider
  const request = branchRequest(messages, focus, requestRoom(model, compaction.reserveTokens))
  const answer = await askForSummary(summarizer(parts, "branch"), request, { usage: noUsage, cost: 0 }, signal)
  if (signal.aborted) return { status: "failed", failure: failure("aborted", phrase`Operation aborted`) }
  if (!answer.ok) return { status: "failed", failure: answer.failure }
  const carried = carriedText(carryOver(null, messages, parts.declared))
  return { status: "done", text: carried === "" ? answer.text : `${answer.text}\n\n${carried}` }
}

/** The steps of the active branch that the one to `target` does not have. */
function leftBehind({ branch, branchTo }: Tape, target: string): readonly Entry[] {
  const other = branchTo(target)
  let same = 0
  while (other && same < other.length && same < branch.length && other.head(same).id === branch.head(same).id) same++
  return Array.from({ length: branch.length - same }, (_, at) => branch.entry(same + at))
}

/** As the model saw them: behind a compaction among them its summary. */
function messagesOf(entries: readonly Entry[]): readonly Message[] {
  return foldBranch(context, branchOf(entries)).messages
}
