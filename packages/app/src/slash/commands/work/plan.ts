import { permissionLevels } from "@gong/spec"
import { said, type SlashCommand } from "../../command.ts"
import { setLevel } from "../setup/permissions.ts"

export const plan: SlashCommand = {
  name: "plan",
  about: "read and plan only; /plan off ends it",
  value: "[off]",
  complete: async () => [{ value: "off" }],
  async run(context, word) {
    const { t, controller } = context
    if (word !== "" && word !== "off") return said([t`/plan begins it, /plan off ends it.`])
    if (word === "") return setLevel(context, "plan")
    const { session, info } = controller.current
    const { permission } = session
    if (permission !== "plan") return said([t`It is not on.`], { permission })
    // As the session was opened; one that was opened to plan asks from then on.
    const before = permissionLevels.find((level) => level === info.permission && level !== "plan")
    return setLevel(context, before ?? "ask")
  },
}
