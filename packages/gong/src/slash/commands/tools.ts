import { refused, said, type SlashCommand } from "../command.ts"

export const tools: SlashCommand = {
  name: "tools",
  about: "the tools that the model has; or choose them, as --tools",
  value: "[LIST]",
  async run({ t, app }, list) {
    if (list === "") return said([app.tools.join(", ") || t`none`], { tools: app.tools })
    const chosen = app.chooseTools(list.replaceAll(/[\s,，、]+/gu, ","))
    if (!chosen.ok) return refused(t, chosen)
    return said([t`From now on: ${chosen.value.join(", ") || t`none`}`], { tools: chosen.value })
  },
}
