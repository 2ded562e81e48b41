import type { Host, PermissionLevel } from "@gong/spec"
import { expandPath, explain, realPathOf, type ToolSource } from "@gong/tools"
import type { Options, SandboxMode } from "../config/flags.ts"
import { keepPermission, readPermissions } from "../config/settings/permissions.ts"
import { codeOf, ok, type Outcome } from "../config/usage.ts"
import type { GitFacts } from "../policy/git-settings.ts"
import type { KnownHost } from "../policy/judge.ts"
import { createPolicy, type SessionPolicy } from "../policy/policy.ts"
import type { World } from "../world.ts"
import type { Config } from "./config.ts"
import { say } from "../texts/say.ts"

export interface PolicyPlace {
  readonly world: World
  readonly options: Options
  readonly config: Config
  /** At the beginning. */
  readonly level: PermissionLevel
  readonly sandbox: SandboxMode
  readonly interactive: boolean
  /** Beside the built-in ones. */
  readonly more: readonly ToolSource[]
  host(): Promise<Host>
}

/** What may run in this session. A rule that cannot be read is a usage error: it must not silently allow or forbid nothing. */
export async function buildPolicy(place: PolicyPlace): Promise<Outcome<SessionPolicy>> {
  const { world, options, config, level, sandbox, interactive, host } = place
  const { workspace } = config
  const hostSources = { env: world.env, home: world.userHome, repository: workspace.repository }
  let hosts: (() => Promise<readonly KnownHost[]>) | undefined
  const kept = options.bare === true ? ok(new Map<string, never>()) : await readPermissions(config.home)
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
      roots: workspace.roots,
      home: world.userHome,
      env: world.env,
      gongHome: config.home,
      interactive,
      sandbox,
      ...read.value,
      reads: config.settings.values.reads,
      locate: async (typed) => {
        const path = expandPath(typed, workspace.cwd, world.userHome)
        const real = realPathOf(await host(), path)
        return { path, real: await real.catch((error: unknown) => noSuchPlace(error, typed)) }
      },
      exists: async (path) => gitFacts(await host(), world.userHome).exists(path),
      readText: async (path) => gitFacts(await host(), world.userHome).readText(path),
      readBytes: async (path) => gitFacts(await host(), world.userHome).readBytes(path),
      findProgram: async (name) => {
        const found = await (await host()).which(name)
        return found === null ? null : (await host()).realpath(found)
      },
      knownHosts: async () => (hosts ??= (await import("./known-hosts.ts")).knownHosts(hostSources))(),
      keepRule: (rule) => keepRule(place, rule),
    }),
  )
}

/** In the words of the tools, which also say what to do about it. */
function noSuchPlace(thrown: unknown, typed: string): never {
  const said = explain(thrown, typed)
  throw said === null ? thrown : new Error(said)
}

const noRules = ok({ allow: [], deny: [] })

function hasRules({ options, config }: PolicyPlace, always: readonly string[]): boolean {
  const { values } = config.settings
  const lists = [options.allow, options.deny, values["rules.allow"], values["rules.deny"], always]
  return lists.some((list) => list !== undefined && list.length > 0)
}

/** What is looked at to know what git would do in a repository. */
export function gitFacts(host: Host, home: string): GitFacts {
  return {
    home,
    exists: async (path) => (await host.stat(path)) !== null,
    readText: async (path) => textOf(await readBytes(host, path, maxText)),
    readBytes: async (path) => readBytes(host, path, maxBytes),
  }
}

/** Bytes of a file that still counts as small; git's settings are a few hundred. */
const maxText = 1_000_000
/** The index of some 400,000 files. */
const maxBytes = 48_000_000

async function readBytes(host: Host, path: string, most: number): Promise<Uint8Array | null> {
  const found = await host.stat(path)
  if (found === null || found.kind === "directory") return null
  if (found.size > most) throw new Error(`${path} is too large to be looked at`)
  return host.readRange(path, 0)
}

function textOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : new TextDecoder().decode(bytes)
}

/** A rule that cannot be kept still holds for this session. */
async function keepRule({ world, config }: PolicyPlace, rule: string): Promise<void> {
  const only = say`gong: ${rule} holds for this session only`
  try {
    const kept = await keepPermission(config.home, config.workspace.repository, rule)
    if (!kept.ok) world.err(`${only}: ${kept.error.lines.join(" ").replace(/^gong: /, "")}\n`)
  } catch (error) {
    world.err(say`${only}: ${config.home}/permissions.json (${codeOf(error)}).\n`)
  }
}
