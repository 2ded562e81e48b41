import { table } from "../../terminal/table.ts"
import { said, type SlashCommand } from "../command.ts"
import { say, worded } from "../../texts/say.ts"

export const help: SlashCommand = {
  name: "help",
  about: "these commands",
  async run({ commands: list }) {
    const commands = list()
    const rows = commands.map(({ name, value = "", about, source }) => {
      const from = source === "builtin" ? "" : ` (${worded(source)})`
      return [{ text: `/${name} ${value}`.trim() }, { text: `${worded(about)}${from}` }]
    })
    return said([...table(rows), say`Anything else is a message. /hotkeys shows the keys.`], { commands })
  },
}
