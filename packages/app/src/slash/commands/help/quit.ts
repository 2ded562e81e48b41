import type { SlashCommand } from "../../command.ts"

export const quit: SlashCommand = {
  name: "quit",
  aliases: ["exit"],
  about: "leave the conversation",
  screen: true,
  run: async () => ({ kind: "quit" }),
}
