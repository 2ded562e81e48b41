import type { Host, PermissionLevel } from "@gong/spec"
import { expandPath, realPathOf } from "@gong/tools"
import { readPermissions } from "../config/permissions.ts"
import type { Options } from "../config/flags.ts"
import type { Settings } from "../config/settings/resolve.ts"
import { ok, type Outcome, usage } from "../config/usage.ts"
import { createPolicy, type SessionPolicy } from "../policy/policy.ts"
import { parseRule, type Rule } from "../policy/rules.ts"
import type { World } from "../world.ts"
import type { Config } from "./config.ts"

/** Without a sandbox: `ask` where a person is, `auto` where none is (interface part 5 P). */
export function levelOf(settings: Settings, interactive: boolean): PermissionLevel {
  return settings.values.permission ?? (interactive ? "ask" : "auto")
}

export interface PolicyPlace {
  readonly world: World
  readonly options: Options
  readonly config: Config
  readonly level: PermissionLevel
  readonly interactive: boolean
  host(): Promise<Host>
}

/** What may run in this session. A rule that cannot be read is a usage error: it must not silently allow or forbid nothing. */
export function buildPolicy({ world, options, config, level, interactive, host }: PolicyPlace): Outcome<SessionPolicy> {
  const { workspace } = config
  const permissions = readPermissions(config.home, workspace.folder)
  const allow = rulesOf("allow", [...(options.allow ?? []), ...permissions.rules])
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
      sandboxed: false,
      allow: allow.value,
      deny: deny.value,
      reads: config.settings.values.reads,
      testScript: "npm test",
      locate: async (typed) => {
        const path = expandPath(typed, workspace.cwd, world.userHome)
        return { path, real: await realPathOf(await host(), path) }
      },
      exists: async (path) => (await (await host()).stat(path)) !== null,
      saveRule: (rule) => permissions.save(rule),
    }),
  )
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
