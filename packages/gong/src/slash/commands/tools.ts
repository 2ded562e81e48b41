import { refused, said, type SlashCommand } from "../command.ts"
import { say } from "../../texts/say.ts"

export const tools: SlashCommand = {
  name: "tools",
  about: "the tools that the model has; or choose them, as --tools",
  value: "[LIST]",
  async run({ app }, list) {
    if (list === "") return said([app.tools.join(", ") || say`none`], { tools: app.tools })
    const chosen = app.chooseTools(list.replaceAll(/[\s,，、]+/gu, ","))
    if (!chosen.ok) return refused(chosen)
    return said([say`From now on: ${chosen.value.join(", ") || say`none`}`], { tools: chosen.value })
  },
}
