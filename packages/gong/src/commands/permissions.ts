import { phrase } from "@gong/spec"
import { readConfig } from "@gong/app/compose/config"
import type { Options } from "../command-line/flags.ts"
import { type KeptRules, readPermissions, removePermission } from "@gong/config/settings/permissions"
import { attempt, must, type Outcome, usage } from "@gong/config/usage"
import type { Cli } from "../cli.ts"
import type { Translate } from "@gong/texts/translator"

/** `gong permissions [list] [--all]`, `gong permissions rm RULE`: what is allowed in this repository for good. */
export function permissions(cli: Cli, options: Options, [verb, rule]: readonly string[]): Promise<Outcome<string>> {
  return attempt(async () => {
    const { home, workspace } = must(await readConfig(cli, options))
    const { repository } = workspace
    const kept = must(await readPermissions(home))
    const here = kept.get(repository) ?? []
    if (verb === "rm" && rule !== undefined) {
      if (!here.includes(rule)) must(usage(phrase`no rule "${rule}" is kept for ${repository}. ${known(cli.t, here)}`))
      must(await removePermission(home, repository, rule))
      return cli.t`${rule} is asked about again in ${repository}.\n`
    }
    const shown: KeptRules = options.all === true ? kept : new Map([[repository, here]])
    if (options.json === true) return `${JSON.stringify({ permissions: Object.fromEntries(shown) })}\n`
    return (
      [...shown].map(([folder, rules]) => textOf(cli.t, folder, rules)).join("") ||
      cli.t`Nothing is allowed for good anywhere.\n`
    )
  })
}

function known(t: Translate, here: readonly string[]): string {
  return here.length === 0 ? t`There is none.` : t`There are: ${here.join(", ")}`
}

function textOf(t: Translate, folder: string, rules: readonly string[]): string {
  if (rules.length === 0) return t`Nothing is allowed for good in ${folder}.\n`
  return `${folder}\n${rules.map((rule) => `  ${rule}\n`).join("")}`
}
