import { table } from "../../terminal/table.ts"
import { worded } from "../../texts/say.ts"
import { said, type SlashCommand } from "../command.ts"

export const hotkeys: SlashCommand = {
  name: "hotkeys",
  about: "what can be pressed here",
  async run({ asking: { keys } }) {
    return said(table(keys.map(([key, what]) => [{ text: key }, { text: worded(what) }])), {
      keys: Object.fromEntries(keys),
    })
  },
}
