import type { SlashCommand } from "../command.ts"
import { initPrompt } from "../texts.ts"

export const init: SlashCommand = {
  name: "init",
  about: "have AGENTS.md written or brought up to date",
  value: "[WISHES]",
  run: async (_, wishes) => ({ kind: "message", text: initPrompt(wishes) }),
}
