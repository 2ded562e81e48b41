import type { SlashCommand } from "../../command.ts"
import { initPrompt } from "../../texts.ts"

export const init: SlashCommand = {
  name: "init",
  about: "have the model write or update AGENTS.md",
  value: "[INSTRUCTIONS]",
  run: async (_, instructions) => ({ kind: "message", text: initPrompt(instructions) }),
}
