import type { Registry } from "@gong/llm"
import { type Host, type Hosts, localHost, type Trusted } from "@gong/spec"
import type { SessionSpec } from "@gong/config/session-spec"
import { type AuthFile, readAuth } from "@gong/config/auth"
import { type ClaudeRule, readProjectFiles } from "@gong/config/project-files"
import { homeFolder } from "@gong/config/home"
import { readModels } from "@gong/config/models/read"
import { type HookFile, readProjectSettings, readUserSettings, type SettingsFile } from "@gong/config/settings/read"
import { resolveSettings, type Settings } from "@gong/config/settings/resolve"
import { attempt, must, ok, type Outcome } from "@gong/config/usage"
import { findWorkspace, type Workspace } from "@gong/config/workspace"
import type { HookCommand, ParsedHooks } from "@gong/extensions/hooks/parse"
import type { Rule } from "@gong/policy/rules"
import type { Services } from "../services.ts"
import { languageOf } from "@gong/texts/language"
import { refreshedCatalogue, noRefreshedCatalogue } from "./models/catalogue.ts"
import { localMachine, openHost, type SessionHost } from "./hosts.ts"
import { registryOf } from "./models/registry.ts"
import { decideTrust } from "./permissions/trust.ts"
import type { Translate } from "@gong/texts/translator"

/** The configuration of the user, the folder and the machine, read before a session is opened. */
export interface Config {
  readonly home: string
  readonly hosts: Hosts
  /** The host of the session; the files of its folder are read there. */
  readonly host: Host
  /** This machine, with the files of the user. */
  readonly machine: Host
  readonly workspace: Workspace
  readonly trusted: Trusted | null
  readonly settings: Settings
  readonly auth: AuthFile | null
  /** Configured hooks: the user's, then those of a trusted folder. */
  readonly hooks: readonly HookCommand[]
  /** Deny rules of Claude Code's settings in a trusted folder. */
  readonly denyRules: readonly Rule[]
  /** The setting `extensions` of the user, and of a trusted folder. */
  readonly extensionSettings: Readonly<Record<"user" | "project", Readonly<Record<string, unknown>>>>
  /** Shipped providers and models, overridden by the user's. */
  readonly registry: Registry
  /** Whole lines for the user. */
  readonly lines: readonly string[]
}

/** The inputs of all parts of a session. */
export interface SessionContext {
  readonly services: Services
  readonly spec: SessionSpec
  readonly config: Config
}

/** Reads the configuration. Active files of the project are read only after the trust decision (engine D22). */
export async function readConfig(
  services: Services,
  spec: SessionSpec,
  sessionHost: SessionHost = localMachine(services),
): Promise<Outcome<Config>> {
  const home = homeFolder(services.env, services.userHome, services.cwd)
  const opened = await openHost(sessionHost)
  if (!opened.ok) return opened
  const host = opened.value
  const machine = host.id === localHost ? opened : await openHost(localMachine(services))
  if (!machine.ok) return machine
  const foundWorkspace = await workspaceOf(host, spec)
  if (!foundWorkspace.ok) return foundWorkspace
  const workspace = foundWorkspace.value
  const bare = spec.bare === true
  const trust = bare
    ? { trusted: null, line: null }
    : await decideTrust(services, spec, home, { host, folder: workspace.folder })
  const user = bare ? ok(null) : await readUserSettings(home)
  if (!user.ok) return user
  const project = trust.trusted ? await readProjectSettings(trust.trusted) : ok(null)
  if (!project.ok) return project
  const settings = resolveSettings({ spec, env: services.env, user: user.value, project: project.value })
  if (!settings.ok) return settings
  await services.setLocale(languageOf(settings.value.values.language, services.env))
  const auth = bare ? ok(null) : await readAuth(home)
  if (!auth.ok) return auth
  const own = bare ? ok(null) : await readModels(home)
  if (!own.ok) return own
  const registry = registryOf(own.value, bare ? noRefreshedCatalogue : refreshedCatalogue(home))
  if (!registry.ok) return registry
  const files = trust.trusted === null ? { hooks: [], deny: [], lines: [] } : await readProjectFiles(trust.trusted)
  const hooks = await configuredHooks(services.t, [user.value, project.value], files.hooks)
  const denyRules = await convertedRules(services.t, files.deny)
  const lines = [
    ...workspace.notes.map(services.t.text),
    ...(trust.line === null ? [] : [trust.line]),
    ...settings.value.warnings.map(services.t.text),
    ...(auth.value?.warnings ?? []).map(services.t.text),
    ...files.lines.map(services.t.text),
    ...hooks.lines,
    ...denyRules.lines,
  ]
  return ok({
    home,
    hosts: sessionHost.hosts,
    host,
    machine: machine.value,
    workspace,
    trusted: trust.trusted,
    settings: settings.value,
    auth: auth.value,
    registry: registry.value,
    hooks: hooks.commands,
    denyRules: denyRules.rules,
    extensionSettings: { user: user.value?.extensions ?? {}, project: project.value?.extensions ?? {} },
    lines,
  })
}

/** The workspace of the spec on this host. */
export function workspaceOf(host: Host, { cwd, addDir = [] }: SessionSpec): Promise<Outcome<Workspace>> {
  return findWorkspace(host, { from: host.cwd, ...(cwd === undefined ? {} : { cwd }), addDirs: addDir })
}

/** The workspace of the current folder, for commands without settings. */
export function currentWorkspace(
  services: Services,
  spec: SessionSpec,
): Promise<Outcome<{ readonly host: Host; readonly workspace: Workspace }>> {
  return attempt(async () => {
    const host = must(await openHost(localMachine(services)))
    const { addDir: _, ...rest } = spec
    return { host, workspace: must(await workspaceOf(host, rest)) }
  })
}

interface ConfiguredHooks extends Pick<ParsedHooks, "commands"> {
  /** Whole lines for the user. */
  readonly lines: readonly string[]
}

/** In order: the user's settings, the project's settings, the other hook files of a trusted folder. */
async function configuredHooks(
  t: Translate,
  settings: readonly (SettingsFile | null)[],
  others: readonly HookFile[],
): Promise<ConfiguredHooks> {
  const files = [...settings.flatMap((file) => file?.hooks ?? []), ...others]
  if (files.length === 0) return { commands: [], lines: [] }
  const { parseHooks } = await import("@gong/extensions/hooks/parse")
  const parsed = await Promise.all(files.map(parseHooks))
  const unique = new Map(
    parsed.flatMap(({ commands }) => commands).map((one) => [[one.kind, one.matcher, one.command].join("\0"), one]),
  )
  const problems = parsed.flatMap((one) => one.problems)
  const lines = problems.map(({ at, text }) => t`gong: ${at}: ${text} Left out; the rest works.`)
  return { commands: [...unique.values()], lines }
}

/** A rule that cannot be converted is reported: the user would believe that it holds. */
async function convertedRules(
  t: Translate,
  denied: readonly ClaudeRule[],
): Promise<{ readonly rules: readonly Rule[]; readonly lines: readonly string[] }> {
  if (denied.length === 0) return { rules: [], lines: [] }
  const [{ convertClaudeRule }, { parseRule }] = await Promise.all([
    import("@gong/policy/claude-rules"),
    import("@gong/policy/rules"),
  ])
  const rules: Rule[] = []
  const lines: string[] = []
  for (const { at, text } of denied) {
    const converted = convertClaudeRule(text, "deny", "")
    const read = converted.ok ? converted.rules.map((rule) => parseRule(rule)) : []
    const problem = converted.ok ? read.find((one) => !one.ok)?.problem : converted.reason
    if (problem !== undefined) lines.push(t`gong: ${at}: the deny rule ${text} does not hold: ${problem}`)
    rules.push(...read.flatMap((one) => (one.ok ? one.rule : [])))
  }
  return { rules, lines }
}
