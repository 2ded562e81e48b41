import { dirname } from "node:path"
import type { Declarations, Host, PermissionLevel } from "@gong/spec"
import { builtInDeclarations, expandPath, explain, realPathOf, type ToolSource } from "@gong/tools"
import type { SandboxMode } from "@gong/config/session-spec"
import { addPermission, permissionsFile, readPermissions } from "@gong/config/settings/permissions"
import { codeOf, ok, type Outcome, sentenceOf } from "@gong/config/usage"
import type { KnownHost } from "@gong/policy/decision"
import { createPolicy, type SessionPolicy } from "@gong/policy/policy"
import type { GitFacts } from "@gong/policy/git/git-facts"
import type { Services } from "../../services.ts"
import type { SessionContext } from "../config.ts"

export interface PolicyDeps extends SessionContext {
  /** The initial level. */
  readonly level: PermissionLevel
  readonly sandbox: { readonly mode: SandboxMode }
  readonly interactive: boolean
  /** Tools in addition to the built-in ones. */
  readonly toolSources: readonly ToolSource[]
  /** Declarations that are trusted beside those of built-in tools. */
  readonly trusted: Declarations
  host(): Promise<Host>
}

/** The policy of a session. An invalid rule is a usage error, since ignoring it could allow a call. */
export async function buildPolicy(deps: PolicyDeps): Promise<Outcome<SessionPolicy>> {
  const { services, spec, config, level, sandbox, interactive, trusted, host } = deps
  const { workspace } = config
  const hostSources = { env: services.env, home: services.userHome, repository: workspace.repository }
  let hosts: (() => Promise<readonly KnownHost[]>) | undefined
  const stored = spec.bare === true ? ok(new Map<string, never>()) : await readPermissions(config.home)
  if (!stored.ok) return stored
  const always = stored.value.get(workspace.repository) ?? []
  // Most sessions have no rules; their parser is loaded on demand.
  const read = hasRules(deps, always) ? (await import("./rules.ts")).readRules(deps, always) : noRules
  if (!read.ok) return read
  return ok(
    createPolicy({
      level,
      cwd: workspace.cwd,
      workspace: workspace.folder,
      home: services.userHome,
      gongHome: config.home,
      // Declarations of other tools are not trusted, so they allow no call.
      declared: (name) => builtInDeclarations(name) ?? trusted(name),
      interactive,
      sandbox: sandbox.mode,
      allow: read.value.allow,
      deny: [...read.value.deny, ...config.denyRules],
      reads: config.settings.values.reads,
      exists: async (path) => (await (await host()).stat(path)) !== null,
      ...gitFacts({ env: services.env, home: services.userHome, cwd: workspace.cwd, roots: workspace.roots, host }),
      hasEscapingLinks: async (folder) =>
        (await import("../sandbox/escaping-links.ts")).hasEscapingLinks(await host(), folder),
      knownHosts: async () => (hosts ??= (await import("../network/known-hosts.ts")).knownHosts(hostSources))(),
      rulesFile: permissionsFile(config.home),
      storeRule: (rule) => storeRule(deps, rule),
    }),
  )
}

export interface GitFactsDeps {
  readonly env: Services["env"]
  /** The user's home folder. */
  readonly home: string
  readonly cwd: string
  readonly roots: readonly string[]
  host(): Promise<Host>
}

/** Facts about this machine that determine what git would do. */
export function gitFacts({ env, home, cwd, roots, host }: GitFactsDeps): GitFacts {
  return {
    env,
    roots,
    locate: async (given) => {
      const path = expandPath(given, cwd, home)
      const real = realPathOf(await host(), path)
      return { path, real: await real.catch((error: unknown) => explained(error, given)) }
    },
    findProgram: async (name) => {
      const found = await (await host()).which(name)
      if (mayBeRelative(found, env["PATH"] ?? "")) return `${cwd}/${name}`
      return found === null ? null : (await host()).realpath(found)
    },
    queryGit: async (folder, args, variables) =>
      (await import("./query-git.ts")).queryGit(await host(), folder, args, variables),
  }
}

/** A relative folder in the PATH depends on the current folder of a command, and may contain another program of this name. */
function mayBeRelative(found: string | null, path: string): boolean {
  const folders = path.split(":")
  const relative = folders.findIndex((folder) => !folder.startsWith("/"))
  if (relative < 0 || found === null) return relative >= 0
  const at = folders.indexOf(dirname(found))
  return at < 0 || at > relative
}

/** The tools' text for an error of the file system, with its hint. */
function explained(thrown: unknown, given: string): never {
  const text = explain(thrown, given)
  throw text === null ? thrown : new Error(text)
}

const noRules = ok({ allow: [], deny: [] })

function hasRules({ spec, config }: PolicyDeps, always: readonly string[]): boolean {
  const { values } = config.settings
  const lists = [spec.allow, spec.deny, values["rules.allow"], values["rules.deny"], always]
  return lists.some((list) => list !== undefined && list.length > 0)
}

/** A rule that cannot be stored still holds for this session. */
async function storeRule({ services, config }: PolicyDeps, rule: string): Promise<void> {
  const only = services.t`gong: ${rule} holds for this session only`
  try {
    const stored = await addPermission(config.home, config.workspace.repository, rule)
    if (!stored.ok) services.warn(`${only}: ${services.t.text(sentenceOf(stored.error))}`)
  } catch (error) {
    services.warn(`${only}: ${config.home}/permissions.json (${codeOf(error)}).`)
  }
}
