import { errorOutput, output, type SlashCommand } from "../../command.ts"

export const tools: SlashCommand = {
  name: "tools",
  about: "show or select tools, like --tools",
  value: "[LIST]",
  async run({ t, controller }, list) {
    if (list === "") {
      const tools = controller.current.choices.controls.tools().map(({ name }) => name)
      return output([tools.join(", ") || t`none`], { tools })
    }
    const chosen = await controller.call("set_tools", { tools: list.split(/[\s,，、]+/u).filter(Boolean) })
    if (!chosen.ok) return errorOutput(t, chosen)
    return output([t`From now on: ${chosen.data.tools.join(", ") || t`none`}`], chosen.data)
  },
}
