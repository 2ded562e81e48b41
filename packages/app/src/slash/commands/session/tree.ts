import { output, type SlashCommand, type SlashContext, type SlashResult } from "../../command.ts"
import { recapLines, recapOf } from "../../../recap.ts"
import { branchPoints, stepCompletions } from "../../branch-points.ts"

export const tree: SlashCommand = {
  name: "tree",
  aliases: ["rewind"],
  about: "go back to an earlier step, or to another branch",
  value: "[STEP] [summary [FOCUS]]",
  complete: async ({ t, controller }) => stepCompletions(t, controller.current.session.history),
  async run(context, rest) {
    const { step, focus } = argumentsOf(rest)
    if (step !== "") return checkout(context, step, focus)
    const { t, controller, user } = context
    const points = branchPoints(t, controller.current.session.history)
    const rows = points.map(({ active, depth, text }) => `${active ? "*" : " "} ${"  ".repeat(depth)}${text}`)
    const picked = await user.choose(t`After which message (* is the current branch)?`, rows, {
      at: points.findLastIndex(({ active }) => active),
    })
    const point = picked === null ? undefined : points[picked]
    return point === undefined
      ? output([t`Nothing has changed.`], { places: points })
      : checkout(context, point.end, focus)
  },
}

/** `focus`: the focus of the summary of the previous branch; null: no summary. */
function argumentsOf(rest: string): { readonly step: string; readonly focus: string | null } {
  const found = /^(\S*?) *\bsummary\b(.*)$/s.exec(rest)
  return found ? { step: found[1] ?? "", focus: (found[2] ?? "").trim() } : { step: rest, focus: null }
}

async function checkout({ t, controller }: SlashContext, step: string, focus: string | null): Promise<SlashResult> {
  const { session } = controller.current
  if (focus === null) session.checkout(step, "")
  const { status, summary } =
    focus === null ? { status: "nothing", summary: "" } : await session.checkoutWithSummary(step, focus)
  const data = { leaf: session.history.leaf, summary }
  if (status === "interrupted") return output([t`Nothing has changed.`], data)
  const moved = t`The session continues from there. The previous branch is kept; files are unchanged.`
  const recap = recapOf(session.history)
  const stands = recap === null ? [] : recapLines(t, recap)
  return output(
    [moved, ...stands, ...(summary === "" ? [] : ["", t`Summary for the model:`, "", ...summary.split("\n")])],
    data,
  )
}
