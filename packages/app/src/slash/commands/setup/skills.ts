import { table } from "@gong/texts/table"
import { output, type SlashCommand } from "../../command.ts"

export const skills: SlashCommand = {
  name: "skills",
  about: "skills available to the model",
  async run({ t, commands: list }) {
    const found = list().filter(({ source }) => source === "skill")
    if (found.length === 0) return output([t`There are no skills.`], { skills: found })
    const rows = found.map(({ name, about }) => [{ text: `/${name}` }, { text: about }])
    return output(table(rows), { skills: found })
  },
}
