import type { SlashCommand } from "../command.ts"
import { goOn } from "../go-on.ts"

export const reload: SlashCommand = {
  name: "reload",
  about: "read settings, keys, rules and all resources anew",
  run: (context) => goOn(context, "reload", {}),
}
