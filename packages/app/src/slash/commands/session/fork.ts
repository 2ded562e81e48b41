import { type SlashCommand } from "../../command.ts"
import { stepsOf } from "../../places.ts"
import { openAnother } from "../../open-another.ts"

export const fork: SlashCommand = {
  name: "fork",
  about: "continue in a copy of the session, or of its part up to a step",
  value: "[STEP]",
  run: (context, step) => openAnother(context, "fork", step === "" ? {} : { entry: step }),
  complete: async ({ t, controller }) => stepsOf(t, controller.current.session.history),
}
