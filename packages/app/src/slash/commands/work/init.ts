import type { SlashCommand } from "../../command.ts"
import { initPrompt } from "../../texts.ts"

export const init: SlashCommand = {
  name: "init",
  about: "have the model write or update AGENTS.md",
  value: "[WISHES]",
  run: async (_, wishes) => ({ kind: "message", text: initPrompt(wishes) }),
}
