import { permissionLevels } from "@gong/spec"
import { output, type SlashCommand } from "../../command.ts"
import { setLevel } from "../setup/permissions.ts"

export const plan: SlashCommand = {
  name: "plan",
  about: "read and plan only; /plan off ends it",
  value: "[off]",
  complete: async () => [{ value: "off" }],
  async run(context, word) {
    const { t, controller } = context
    if (word !== "" && word !== "off") return output([t`/plan starts it, /plan off ends it.`])
    if (word === "") return setLevel(context, "plan")
    const { session, info } = controller.current
    const { permission } = session
    if (permission !== "plan") return output([t`The level is not plan.`], { permission })
    // The initial level of the session; `ask` if that was `plan`.
    const before = permissionLevels.find((level) => level === info.permission && level !== "plan")
    return setLevel(context, before ?? "ask")
  },
}
