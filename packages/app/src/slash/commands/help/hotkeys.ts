import { table } from "@gong/texts/table"
import { output, type SlashCommand } from "../../command.ts"

export const hotkeys: SlashCommand = {
  name: "hotkeys",
  about: "list of keys",
  screen: true,
  async run({ t, user: { keys } }) {
    return output(table(keys.map(([key, what]) => [{ text: key }, { text: t(what) }])), {
      keys: Object.fromEntries(keys),
    })
  },
}
