import { table } from "../../terminal/table.ts"
import { said, type SlashCommand } from "../command.ts"

export const hotkeys: SlashCommand = {
  name: "hotkeys",
  about: "what can be pressed here",
  screen: true,
  async run({ t, person: { keys } }) {
    return said(table(keys.map(([key, what]) => [{ text: key }, { text: t(what) }])), {
      keys: Object.fromEntries(keys),
    })
  },
}
