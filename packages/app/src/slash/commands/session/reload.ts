import type { SlashCommand } from "../../command.ts"
import { switchSession } from "../../switch-session.ts"

export const reload: SlashCommand = {
  name: "reload",
  about: "reload settings, keys, rules and resources",
  run: (context) => switchSession(context, "reload", {}),
}
