import { table } from "@gong/texts/table"
import { output, type SlashCommand } from "../../command.ts"

export const help: SlashCommand = {
  name: "help",
  about: "list of commands",
  async run({ t, commands: list }) {
    const commands = list()
    const rows = commands.map(({ name, value = "", about, source }) => {
      const from = source === "builtin" ? "" : ` (${t(source)})`
      return [{ text: `/${name} ${value}`.trim() }, { text: `${t(about)}${from}` }]
    })
    return output([...table(rows), t`Anything else is a message. /hotkeys shows the keys.`], { commands })
  },
}
