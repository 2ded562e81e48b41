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
    const aliases = commands.flatMap(({ name, aliases: others = [] }) => others.map((other) => `/${other} = /${name}`))
    const more = [t`Also: ${aliases.join(", ")}; !COMMAND runs a command, !!COMMAND one that the model does not see.`]
    return output([...table(rows), ...more, t`Anything else is a message. /hotkeys shows the keys.`], { commands })
  },
}
