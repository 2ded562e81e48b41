import { type SlashCommand } from "../../command.ts"
import { stepCompletions } from "../../branch-points.ts"
import { switchSession } from "../../switch-session.ts"

export const fork: SlashCommand = {
  name: "fork",
  about: "continue in a copy of the session, or of its part up to a step",
  value: "[STEP]",
  run: (context, step) => switchSession(context, "fork", step === "" ? {} : { entry: step }),
  complete: async ({ t, controller }) => stepCompletions(t, controller.current.session.history),
}
