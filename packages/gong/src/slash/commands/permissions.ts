import { type PermissionLevel, permissionLevels } from "@gong/spec"
import { type At, said, type SlashCommand, type SlashEnd } from "../command.ts"
import { say, worded } from "../../texts/say.ts"

const meanings: Readonly<Record<PermissionLevel, string>> = {
  plan: "nothing is changed",
  ask: "what changes something is asked for",
  auto: "edits in the workspace run; what leaves it is asked for",
  full: "nothing is asked for",
}

export const permissions: SlashCommand = {
  name: "permissions",
  about: "how much may run without asking",
  value: "[plan|ask|auto|full]",
  async run(at, wanted) {
    if (wanted !== "") {
      const level = permissionLevels.find((one) => one === wanted.toLowerCase())
      if (level === undefined) return said([say`There is no level ${wanted}, only ${permissionLevels.join(", ")}.`])
      return setLevel(at, level)
    }
    const now = at.session.permission
    const rows = permissionLevels.map(
      (level) => `${level}: ${worded(meanings[level])}${level === now ? say` (now)` : ""}`,
    )
    const picked = await at.asking.choose(say`What may run without asking?`, rows)
    const level = picked === null ? undefined : permissionLevels[picked]
    return level === undefined
      ? said([say`${now}: ${worded(meanings[now])}.`], { permission: now })
      : setLevel(at, level)
  },
}

/** The guard and the sandbox stay as they are. */
export async function setLevel({ session }: At, level: PermissionLevel): Promise<SlashEnd> {
  await session.setPermission(level)
  return said([say`${level}: ${worded(meanings[level])}.`], { permission: level })
}
