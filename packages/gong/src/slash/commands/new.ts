import type { SlashCommand } from "../command.ts"
import { goOn } from "../go-on.ts"

export const newSession: SlashCommand = {
  name: "new",
  about: "go on in a new session",
  value: "[NAME]",
  run: async (at, name) => goOn(at, { kind: "new", ...(name === "" ? {} : { name }) }),
}
