import { type At, said, type SlashCommand, type SlashEnd } from "../command.ts"
import { placesOf } from "../places.ts"

export const tree: SlashCommand = {
  name: "tree",
  about: "go back to an earlier point, or over to another branch",
  value: "[STEP] [summary [FOCUS]]",
  async run(at, rest) {
    const { step, summing } = wishOf(rest)
    if (step !== "") return moveTo(at, step, summing)
    const places = placesOf(at.t, at.session.history)
    const rows = places.map(({ active, depth, text }) => `${active ? "*" : " "} ${"  ".repeat(depth)}${text}`)
    const picked = await at.asking.choose(at.t`Behind which message (* is this branch)?`, rows)
    const place = picked === null ? undefined : places[picked]
    return place === undefined ? said([at.t`You are where you were.`], { places }) : moveTo(at, place.end, summing)
  },
}

/** `summing`: what the summary of the branch that is left should keep above all; null: none is wanted. */
function wishOf(rest: string): { readonly step: string; readonly summing: string | null } {
  const wish = /^(\S*?) *\bsummary\b(.*)$/s.exec(rest)
  return wish ? { step: wish[1] ?? "", summing: (wish[2] ?? "").trim() } : { step: rest, summing: null }
}

async function moveTo({ t, session }: At, step: string, summing: string | null): Promise<SlashEnd> {
  if (summing === null) session.checkout(step, "")
  const { status, summary } =
    summing === null ? { status: "nothing", summary: "" } : await session.checkoutWithSummary(step, summing)
  const data = { leaf: session.history.leaf, summary }
  if (status === "interrupted") return said([t`You are where you were.`], data)
  const moved = t`You go on from there. The branch that you left stays; files are as they are.`
  return said([moved, ...(summary === "" ? [] : ["", t`The model is told of it:`, "", ...summary.split("\n")])], data)
}
