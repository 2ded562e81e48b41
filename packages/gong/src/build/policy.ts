import type { Host, PermissionLevel } from "@gong/spec"
import { expandPath, realPathOf } from "@gong/tools"
import type { Options, SandboxMode } from "../config/flags.ts"
import { readPermissions, savePermission } from "../config/settings/permissions.ts"
import { codeOf, ok, type Outcome, usage } from "../config/usage.ts"
import { createPolicy, type SessionPolicy } from "../policy/policy.ts"
import { parseRule, type Rule } from "../policy/rules.ts"
import type { World } from "../world.ts"
import type { Config } from "./config.ts"

export interface PolicyPlace {
  readonly world: World
  readonly options: Options
  readonly config: Config
  readonly level: PermissionLevel
  readonly sandbox: SandboxMode
  readonly interactive: boolean
  host(): Promise<Host>
}

/** What may run in this session. A rule that cannot be read is a usage error: it must not silently allow or forbid nothing. */
export async function buildPolicy(place: PolicyPlace): Promise<Outcome<SessionPolicy>> {
  const { world, options, config, level, sandbox, interactive, host } = place
  const { workspace } = config
  const kept = options.bare === true ? ok([]) : await readPermissions(config.home, workspace.folder)
  if (!kept.ok) return kept
  const allow = rulesOf("allow", [...(options.allow ?? []), ...kept.value])
  if (!allow.ok) return allow
  const deny = rulesOf("deny", options.deny ?? [])
  if (!deny.ok) return deny
  return ok(
    createPolicy({
      level,
      cwd: workspace.cwd,
      workspace: workspace.folder,
      roots: workspace.roots,
      home: world.userHome,
      gongHome: config.home,
      interactive,
      sandbox,
      allow: allow.value,
      deny: deny.value,
      reads: config.settings.values.reads,
      testScript: "npm test",
      locate: async (typed) => {
        const path = expandPath(typed, workspace.cwd, world.userHome)
        return { path, real: await realPathOf(await host(), path) }
      },
      exists: async (path) => (await (await host()).stat(path)) !== null,
      saveRule: (rule) => saveRule(place, rule),
    }),
  )
}

/** A rule that cannot be kept still holds for this session. */
function saveRule({ world, config }: PolicyPlace, rule: string): void {
  try {
    savePermission(config.home, config.workspace.folder, rule)
  } catch (error) {
    world.err(`gong: ${rule} holds for this session only: ${config.home}/permissions.json (${codeOf(error)}).\n`)
  }
}

function rulesOf(flag: string, texts: readonly string[]): Outcome<readonly Rule[]> {
  const rules: Rule[] = []
  for (const text of texts) {
    const read = parseRule(text)
    if (!read.ok) return usage(`--${flag}: ${read.problem}`)
    rules.push(read.rule)
  }
  return ok(rules)
}
