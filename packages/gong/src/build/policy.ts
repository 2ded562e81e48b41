import type { Host, PermissionLevel, Tool } from "@gong/spec"
import { expandPath, realPathOf } from "@gong/tools"
import type { Options, SandboxMode } from "../config/flags.ts"
import { keepPermission, readPermissions } from "../config/settings/permissions.ts"
import { codeOf, didYouMean, ok, type Outcome, usage } from "../config/usage.ts"
import { createPolicy, type SessionPolicy } from "../policy/policy.ts"
import { builtInTools, parseRule, type Rule } from "../policy/rules.ts"
import type { World } from "../world.ts"
import type { Config } from "./config.ts"

export interface PolicyPlace {
  readonly world: World
  readonly options: Options
  readonly config: Config
  /** At the beginning. */
  readonly level: PermissionLevel
  readonly sandbox: SandboxMode
  readonly interactive: boolean
  /** Of the program that runs the session, beside the built-in ones. */
  readonly customTools?: readonly Tool[]
  host(): Promise<Host>
}

/** What may run in this session. A rule that cannot be read is a usage error: it must not silently allow or forbid nothing. */
export async function buildPolicy(place: PolicyPlace): Promise<Outcome<SessionPolicy>> {
  const { world, options, config, level, sandbox, interactive, host } = place
  const { workspace } = config
  const tools = (place.customTools ?? []).map(({ name }) => name)
  const kept = options.bare === true ? ok(new Map<string, never>()) : await readPermissions(config.home)
  if (!kept.ok) return kept
  const allow = rulesOf("allow", options.allow ?? [], config, tools)
  if (!allow.ok) return allow
  const deny = rulesOf("deny", options.deny ?? [], config, tools)
  if (!deny.ok) return deny
  // A tool that a program brought once need not be here today.
  const always = (kept.value.get(workspace.repository) ?? []).map((text) => parseRule(text, null))
  const broken = always.find((read) => !read.ok)
  if (broken) return usage(`${config.home}/permissions.json: ${broken.problem}`)
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
      allow: [...allow.value, ...always.flatMap((read) => (read.ok ? read.rule : []))],
      deny: deny.value,
      reads: config.settings.values.reads,
      locate: async (typed) => {
        const path = expandPath(typed, workspace.cwd, world.userHome)
        return { path, real: await realPathOf(await host(), path) }
      },
      exists: async (path) => (await (await host()).stat(path)) !== null,
      readText: async (path) => readText(await host(), path),
      findProgram: async (name) => {
        const found = await (await host()).which(name)
        return found === null ? null : (await host()).realpath(found)
      },
      keepRule: (rule) => keepRule(place, rule),
    }),
  )
}

/** Bytes of a file that still counts as small; git's settings are a few hundred. */
const maxText = 1_000_000

async function readText(host: Host, path: string): Promise<string | null> {
  const found = await host.stat(path)
  if (found === null || found.kind === "directory") return null
  if (found.size > maxText) throw new Error(`${path} is too large to be looked at`)
  return new TextDecoder().decode(await host.readRange(path, 0))
}

/** A rule that cannot be kept still holds for this session. */
async function keepRule({ world, config }: PolicyPlace, rule: string): Promise<void> {
  const only = `gong: ${rule} holds for this session only`
  try {
    const kept = await keepPermission(config.home, config.workspace.repository, rule)
    if (!kept.ok) world.err(`${only}: ${kept.error.lines.join(" ").replace(/^gong: /, "")}\n`)
  } catch (error) {
    world.err(`${only}: ${config.home}/permissions.json (${codeOf(error)}).\n`)
  }
}

/** Those of the command line, then those of the settings. */
function rulesOf(
  list: "allow" | "deny",
  given: readonly string[],
  { settings: { values, origins } }: Config,
  tools: readonly string[],
): Outcome<readonly Rule[]> {
  const rules: Rule[] = []
  for (const text of given) {
    const read = parseRule(text, tools)
    if (!read.ok) return usage(`--${list}: ${read.problem}`)
    rules.push(read.rule)
  }
  const name = `rules.${list}` as const
  for (const text of values[name]) {
    // As with what is kept for good: a tool that an extension brings need not be here today. A slip in a name is told.
    const read = parseRule(text, null)
    const near = read.ok && !builtInTools.includes(read.rule.tool) ? didYouMean(read.rule.tool, builtInTools) : ""
    if (!read.ok) return usage(`${origins[name]}: "${name}": ${read.problem}`)
    if (near !== "") return usage(`${origins[name]}: "${name}": there is no tool "${read.rule.tool}".${near}`)
    rules.push(read.rule)
  }
  return ok(rules)
}
