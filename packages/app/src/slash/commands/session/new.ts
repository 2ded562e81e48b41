import type { SlashCommand } from "../../command.ts"
import { switchSession } from "../../switch-session.ts"

export const newSession: SlashCommand = {
  name: "new",
  aliases: ["clear"],
  about: "start a new session",
  value: "[NAME]",
  run: (context, name) => switchSession(context, "new_session", name === "" ? {} : { name }),
}
