import type { SlashCommand } from "../../command.ts"
import { openAnother } from "../../open-another.ts"

export const newSession: SlashCommand = {
  name: "new",
  about: "start a new session",
  value: "[NAME]",
  run: (context, name) => openAnother(context, "new_session", name === "" ? {} : { name }),
}
