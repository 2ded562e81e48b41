import { type PermissionLevel, permissionLevels } from "@gong/spec"
import { output, type SlashContext, type SlashCommand, type SlashResult } from "../../command.ts"

const meanings: Readonly<Record<PermissionLevel, string>> = {
  plan: "nothing is changed",
  ask: "changes need permission",
  auto: "edits in the workspace run; anything outside of it needs permission",
  full: "everything runs without permission",
}

export const permissions: SlashCommand = {
  name: "permissions",
  aliases: ["approvals"],
  about: "show or set the permission level",
  value: "[plan|ask|auto|full]",
  complete: async ({ t }) => permissionLevels.map((level) => ({ value: level, about: t(meanings[level]) })),
  async run(context, name) {
    const { t, controller, user } = context
    if (name !== "") {
      const level = permissionLevels.find((one) => one === name.toLowerCase())
      if (level === undefined) return output([t`There is no level ${name}, only ${permissionLevels.join(", ")}.`])
      return setLevel(context, level)
    }
    const current = controller.current.session.permission
    const rows = permissionLevels.map(
      (level) => `${level}: ${t(meanings[level])}${level === current ? t` (current)` : ""}`,
    )
    const picked = await user.choose(t`What may run without permission?`, rows)
    const level = picked === null ? undefined : permissionLevels[picked]
    return level === undefined
      ? output([t`${current}: ${t(meanings[current])}.`], { permission: current })
      : setLevel(context, level)
  },
}

/** Does not change the guard and the sandbox. */
export async function setLevel({ t, controller }: SlashContext, level: PermissionLevel): Promise<SlashResult> {
  await controller.current.session.setPermission(level)
  return output([t`${level}: ${t(meanings[level])}.`], { permission: level })
}
