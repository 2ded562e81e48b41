import { said, type SlashCommand, type SlashContext, type SlashEnd } from "../../command.ts"
import { placesOf, stepsOf } from "../../places.ts"

export const tree: SlashCommand = {
  name: "tree",
  about: "go back to an earlier step, or to another branch",
  value: "[STEP] [summary [FOCUS]]",
  complete: async ({ t, controller }) => stepsOf(t, controller.current.session.history),
  async run(context, rest) {
    const { step, summing } = argumentsOf(rest)
    if (step !== "") return moveTo(context, step, summing)
    const { t, controller, person } = context
    const places = placesOf(t, controller.current.session.history)
    const rows = places.map(({ active, depth, text }) => `${active ? "*" : " "} ${"  ".repeat(depth)}${text}`)
    const picked = await person.choose(t`Behind which message (* is this branch)?`, rows)
    const place = picked === null ? undefined : places[picked]
    return place === undefined ? said([t`You are where you were.`], { places }) : moveTo(context, place.end, summing)
  },
}

/** `summing`: what the summary of the branch that is left should keep above all; null: none is wanted. */
function argumentsOf(rest: string): { readonly step: string; readonly summing: string | null } {
  const found = /^(\S*?) *\bsummary\b(.*)$/s.exec(rest)
  return found ? { step: found[1] ?? "", summing: (found[2] ?? "").trim() } : { step: rest, summing: null }
}

async function moveTo({ t, controller }: SlashContext, step: string, summing: string | null): Promise<SlashEnd> {
  const { session } = controller.current
  if (summing === null) session.checkout(step, "")
  const { status, summary } =
    summing === null ? { status: "nothing", summary: "" } : await session.checkoutWithSummary(step, summing)
  const data = { leaf: session.history.leaf, summary }
  if (status === "interrupted") return said([t`You are where you were.`], data)
  const moved = t`You go on from there. The branch that you left stays; files are as they are.`
  return said([moved, ...(summary === "" ? [] : ["", t`The model is told of it:`, "", ...summary.split("\n")])], data)
}
