import { phrase } from "@gong/spec"
import { readConfig } from "@gong/app/compose/config"
import type { Options } from "../command-line/flags.ts"
import { type StoredRules, readPermissions, removePermission } from "@gong/config/settings/permissions"
import { attempt, must, type Outcome, usage } from "@gong/config/usage"
import type { Cli } from "../cli.ts"
import type { Translate } from "@gong/texts/translator"

/** `gong permissions [list] [--all]`, `gong permissions rm RULE`: stored allow rules of this repository. */
export function permissions(cli: Cli, options: Options, [verb, rule]: readonly string[]): Promise<Outcome<string>> {
  return attempt(async () => {
    const { home, workspace } = must(await readConfig(cli, options))
    const { repository } = workspace
    const stored = must(await readPermissions(home))
    const here = stored.get(repository) ?? []
    if (verb === "rm" && rule !== undefined) {
      if (!here.includes(rule))
        must(usage(phrase`no rule "${rule}" is stored for ${repository}. ${storedText(cli.t, here)}`))
      must(await removePermission(home, repository, rule))
      return cli.t`${rule} is removed: ${repository} asks again.\n`
    }
    const shown: StoredRules = options.all === true ? stored : new Map([[repository, here]])
    if (options.json === true) return `${JSON.stringify({ permissions: Object.fromEntries(shown) })}\n`
    return (
      [...shown].map(([folder, rules]) => textOf(cli.t, folder, rules)).join("") || cli.t`No allow rules are stored.\n`
    )
  })
}

function storedText(t: Translate, here: readonly string[]): string {
  return here.length === 0 ? t`None is stored.` : t`Stored: ${here.join(", ")}`
}

function textOf(t: Translate, folder: string, rules: readonly string[]): string {
  if (rules.length === 0) return t`No allow rules are stored for ${folder}.\n`
  return `${folder}\n${rules.map((rule) => `  ${rule}\n`).join("")}`
}
