import { type PermissionLevel, permissionLevels } from "@gong/spec"
import { type At, said, type SlashCommand, type SlashEnd } from "../command.ts"

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
      if (level === undefined) return said([at.t`There is no level ${wanted}, only ${permissionLevels.join(", ")}.`])
      return setLevel(at, level)
    }
    const now = at.session.permission
    const rows = permissionLevels.map(
      (level) => `${level}: ${at.t(meanings[level])}${level === now ? at.t` (now)` : ""}`,
    )
    const picked = await at.asking.choose(at.t`What may run without asking?`, rows)
    const level = picked === null ? undefined : permissionLevels[picked]
    return level === undefined
      ? said([at.t`${now}: ${at.t(meanings[now])}.`], { permission: now })
      : setLevel(at, level)
  },
}

/** The guard and the sandbox stay as they are. */
export async function setLevel({ t, session }: At, level: PermissionLevel): Promise<SlashEnd> {
  await session.setPermission(level)
  return said([t`${level}: ${t(meanings[level])}.`], { permission: level })
}
