import type { SlashCommand } from "../command.ts"
import { goOn } from "../go-on.ts"

export const newSession: SlashCommand = {
  name: "new",
  about: "go on in a new session",
  value: "[NAME]",
  run: (context, name) => goOn(context, "new_session", name === "" ? {} : { name }),
}
