import { output, type SlashCommand } from "../../command.ts"

export const compact: SlashCommand = {
  name: "compact",
  about: "replace the older part of the conversation by a summary",
  value: "[FOCUS]",
  // The session publishes the result as a notification, which the frontend shows.
  run: async ({ controller }, focus) => output([], await controller.current.session.compact(focus)),
}
