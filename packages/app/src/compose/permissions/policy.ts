import { dirname } from "node:path"
import type { Host, PermissionLevel } from "@gong/spec"
import { builtInDeclarations, expandPath, explain, realPathOf, type ToolSource } from "@gong/tools"
import type { SessionSpec, SandboxMode } from "@gong/config/session-spec"
import { addPermission, readPermissions } from "@gong/config/settings/permissions"
import { codeOf, ok, type Outcome, sentenceOf } from "@gong/config/usage"
import type { KnownHost } from "@gong/policy/decision"
import { createPolicy, type SessionPolicy } from "@gong/policy/policy"
import type { GitFacts } from "@gong/policy/git/git-facts"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"

export interface PolicyDeps {
  readonly services: Services
  readonly spec: SessionSpec
  readonly config: Config
  /** At the beginning. */
  readonly level: PermissionLevel
  readonly sandbox: { readonly mode: SandboxMode }
  readonly interactive: boolean
  /** Beside the built-in ones. */
  readonly more: readonly ToolSource[]
  host(): Promise<Host>
}

/** What may run in this session. A rule that cannot be read is a usage error: it must not silently allow or forbid nothing. */
export async function buildPolicy(place: PolicyDeps): Promise<Outcome<SessionPolicy>> {
  const { services, spec, config, level, sandbox, interactive, host } = place
  const { workspace } = config
  const hostSources = { env: services.env, home: services.userHome, repository: workspace.repository }
  let hosts: (() => Promise<readonly KnownHost[]>) | undefined
  const kept = spec.bare === true ? ok(new Map<string, never>()) : await readPermissions(config.home)
  if (!kept.ok) return kept
  const always = kept.value.get(workspace.repository) ?? []
  // Most sessions have none, and then nothing that reads them is loaded.
  const read = hasRules(place, always) ? (await import("./rules.ts")).readRules(place, always) : noRules
  if (!read.ok) return read
  return ok(
    createPolicy({
      level,
      cwd: workspace.cwd,
      workspace: workspace.folder,
      home: services.userHome,
      gongHome: config.home,
      // What others say of their own tools frees no call of them.
      declared: builtInDeclarations,
      interactive,
      sandbox: sandbox.mode,
      ...read.value,
      reads: config.settings.values.reads,
      exists: async (path) => (await (await host()).stat(path)) !== null,
      ...gitFacts({ env: services.env, home: services.userHome, cwd: workspace.cwd, roots: workspace.roots, host }),
      hasEscapingLinks: async (folder) =>
        (await import("../sandbox/escaping-links.ts")).hasEscapingLinks(await host(), folder),
      knownHosts: async () => (hosts ??= (await import("../network/known-hosts.ts")).knownHosts(hostSources))(),
      storeRule: (rule) => keepRule(place, rule),
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

/** What is known of this machine to judge what git would do. */
export function gitFacts({ env, home, cwd, roots, host }: GitFactsDeps): GitFacts {
  return {
    env,
    roots,
    locate: async (typed) => {
      const path = expandPath(typed, cwd, home)
      const real = realPathOf(await host(), path)
      return { path, real: await real.catch((error: unknown) => noSuchPlace(error, typed)) }
    },
    findProgram: async (name) => {
      const found = await (await host()).which(name)
      if (mayBeRelative(found, env["PATH"] ?? "")) return `${cwd}/${name}`
      return found === null ? null : (await host()).realpath(found)
    },
    queryGit: async (folder, args, more) => (await import("./ask-git.ts")).askGit(await host(), folder, args, more),
  }
}

/** A relative folder of the PATH is another one wherever a command goes: what it holds may be found first. */
function mayBeRelative(found: string | null, path: string): boolean {
  const folders = path.split(":")
  const relative = folders.findIndex((folder) => !folder.startsWith("/"))
  if (relative < 0 || found === null) return relative >= 0
  const at = folders.indexOf(dirname(found))
  return at < 0 || at > relative
}

/** In the words of the tools, which also say what to do about it. */
function noSuchPlace(thrown: unknown, typed: string): never {
  const said = explain(thrown, typed)
  throw said === null ? thrown : new Error(said)
}

const noRules = ok({ allow: [], deny: [] })

function hasRules({ spec, config }: PolicyDeps, always: readonly string[]): boolean {
  const { values } = config.settings
  const lists = [spec.allow, spec.deny, values["rules.allow"], values["rules.deny"], always]
  return lists.some((list) => list !== undefined && list.length > 0)
}

/** A rule that cannot be kept still holds for this session. */
async function keepRule({ services, config }: PolicyDeps, rule: string): Promise<void> {
  const only = services.t`gong: ${rule} holds for this session only`
  try {
    const kept = await addPermission(config.home, config.workspace.repository, rule)
    if (!kept.ok) services.warn(`${only}: ${services.t.text(sentenceOf(kept.error))}`)
  } catch (error) {
    services.warn(`${only}: ${config.home}/permissions.json (${codeOf(error)}).`)
  }
}
