import { permissionLevels } from "@gong/spec"
import { said, type SlashCommand } from "../command.ts"
import { setLevel } from "./permissions.ts"

export const plan: SlashCommand = {
  name: "plan",
  about: "only look and plan; /plan off ends it",
  value: "[off]",
  async run(at, word) {
    if (word !== "" && word !== "off") return said([at.t`/plan begins it, /plan off ends it.`])
    if (word === "") return setLevel(at, "plan")
    if (at.session.permission !== "plan") return said([at.t`It is not on.`], { permission: at.session.permission })
    // As the session was opened; one that was opened to plan asks from then on.
    const before = permissionLevels.find((level) => level === at.info.permission && level !== "plan")
    return setLevel(at, before ?? "ask")
  },
}
