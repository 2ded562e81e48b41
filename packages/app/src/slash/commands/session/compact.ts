import { said, type SlashCommand } from "../../command.ts"

export const compact: SlashCommand = {
  name: "compact",
  about: "replace the older part of the conversation by a summary",
  value: "[FOCUS]",
  // What it came to is a notification of the session, which the frontend shows.
  run: async ({ controller }, focus) => said([], await controller.current.session.compact(focus)),
}
