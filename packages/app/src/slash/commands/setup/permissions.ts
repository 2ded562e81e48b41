import { type PermissionLevel, permissionLevels } from "@gong/spec"
import { said, type SlashContext, type SlashCommand, type SlashEnd } from "../../command.ts"

const meanings: Readonly<Record<PermissionLevel, string>> = {
  plan: "nothing is changed",
  ask: "what changes something is asked for",
  auto: "edits in the workspace run; what leaves it is asked for",
  full: "nothing is asked for",
}

export const permissions: SlashCommand = {
  name: "permissions",
  about: "show or set the permission level",
  value: "[plan|ask|auto|full]",
  complete: async ({ t }) => permissionLevels.map((level) => ({ value: level, about: t(meanings[level]) })),
  async run(context, wanted) {
    const { t, controller, person } = context
    if (wanted !== "") {
      const level = permissionLevels.find((one) => one === wanted.toLowerCase())
      if (level === undefined) return said([t`There is no level ${wanted}, only ${permissionLevels.join(", ")}.`])
      return setLevel(context, level)
    }
    const now = controller.current.session.permission
    const rows = permissionLevels.map((level) => `${level}: ${t(meanings[level])}${level === now ? t` (now)` : ""}`)
    const picked = await person.choose(t`What may run without asking?`, rows)
    const level = picked === null ? undefined : permissionLevels[picked]
    return level === undefined ? said([t`${now}: ${t(meanings[now])}.`], { permission: now }) : setLevel(context, level)
  },
}

/** The guard and the sandbox stay as they are. */
export async function setLevel({ t, controller }: SlashContext, level: PermissionLevel): Promise<SlashEnd> {
  await controller.current.session.setPermission(level)
  return said([t`${level}: ${t(meanings[level])}.`], { permission: level })
}
