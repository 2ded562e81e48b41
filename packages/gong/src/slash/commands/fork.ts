import { type SlashCommand } from "../command.ts"
import { goOn } from "../go-on.ts"

export const fork: SlashCommand = {
  name: "fork",
  about: "go on in a copy of the session, or of it up to a step",
  value: "[STEP]",
  run: async (at, step) => goOn(at, { kind: "fork", ...(step === "" ? {} : { entry: step }) }),
}
