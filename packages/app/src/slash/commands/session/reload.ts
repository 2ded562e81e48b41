import type { SlashCommand } from "../../command.ts"
import { openAnother } from "../../open-another.ts"

export const reload: SlashCommand = {
  name: "reload",
  about: "reload settings, keys, rules and resources",
  run: (context) => openAnother(context, "reload", {}),
}
