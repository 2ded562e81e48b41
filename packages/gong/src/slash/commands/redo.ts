import { said, type SlashCommand } from "../command.ts"

export const redo: SlashCommand = {
  name: "redo",
  about: "make again what the last /undo took back",
  run: async ({ app }) => said((await app.undo("redo")).trimEnd().split("\n")),
}
