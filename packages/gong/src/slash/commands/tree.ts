import { type At, said, type SlashCommand, type SlashEnd } from "../command.ts"
import { placesOf } from "../places.ts"

export const tree: SlashCommand = {
  name: "tree",
  about: "go back to an earlier point, or over to another branch",
  value: "[STEP]",
  async run(at, step) {
    if (step !== "") return moveTo(at, step)
    const places = placesOf(at.session.tape)
    const rows = places.map(({ active, depth, text }) => `${active ? "*" : " "} ${"  ".repeat(depth)}${text}`)
    const picked = await at.asking.choose("Behind which message (* is this branch)?", rows)
    const place = picked === null ? undefined : places[picked]
    return place === undefined ? said(["You are where you were."], { places }) : moveTo(at, place.end)
  },
}

function moveTo({ session }: At, step: string): SlashEnd {
  session.goTo(step, "")
  const lines = ["You go on from there. The branch that you left stays; files are as they are."]
  return said(lines, { leaf: session.tape.leaf })
}
