import type { SlashCommand } from "../command.ts"
import { openAnother } from "../open-another.ts"

export const reload: SlashCommand = {
  name: "reload",
  about: "read settings, keys, rules and all resources anew",
  run: (context) => openAnother(context, "reload", {}),
}
