import { accessSync, constants, existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { englishOf, FailureError, failureOf } from "@gong/spec"
import { proxyFor } from "@gong/llm/transport"
import { openImageCodec } from "@gong/tools/host/image-codec"
import { createLocalHost } from "@gong/tools/host/local"
import { registryWith } from "@gong/app/compose/models/extension-providers"
import { type Config, readConfig } from "@gong/app/compose/config"
import { typedDiagnostic } from "@gong/app/compose/extensions/diagnostics"
import { keyRows } from "@gong/app/compose/keys/key-rows"
import { describeServer } from "@gong/app/compose/models/describe-server"
import { hasServers } from "@gong/app/compose/mcp/session-mcp"
import { type Resources, readResources } from "@gong/app/compose/resources/resources"
import { availableSandbox } from "@gong/app/compose/sandbox/available-sandbox"
import { unreadableLine } from "@gong/app/compose/tapes/unreadable-sessions"
import { storageOf } from "@gong/app/compose/tapes/storage"
import { sizeOfToolCaches } from "@gong/app/compose/sandbox/prune-caches"
import { findTheme } from "@gong/app/compose/resources/theme"
import type { Options } from "../command-line/flags.ts"
import { privateFolder } from "@gong/config/private-folder"
import { attempt, codeOf, must, type Outcome } from "@gong/config/usage"
import type { Cli } from "../cli.ts"
import { nameOf } from "@gong/extensions/hooks/parse"
import { ripgrep } from "./version.ts"
import { printableLine } from "@gong/texts/printable"
import { padTo } from "@gong/texts/table"
import type { Translate } from "@gong/texts/translator"

/** `gong doctor`: checks this machine and the configuration, with remedies. */
export function doctor(cli: Cli, options: Options): Promise<Outcome<string>> {
  return attempt(async () => {
    const config = must(await readConfig(cli, options))
    const rg = await ripgrep(cli)
    const resources = must(await readResources(cli, options, config))
    const sessions = await sessionsOf(cli, config)
    const rows: readonly (readonly [string, string])[] = [
      ["gong", cli.version],
      ["node", cli.t`${cli.node} on ${cli.platform}`],
      ["ripgrep", rg ? `${rg.version} (${rg.path})` : cli.t`not found: grep and find will not work. Run npm ci again.`],
      [cli.t`images`, await imagesText(cli.t)],
      [cli.t`home`, homeText(cli.t, config.home)],
      [cli.t`caches`, await cachesText(cli.t, config.home)],
      [cli.t`sessions`, sessions.text],
      [cli.t`workspace`, `${config.workspace.folder}${config.workspace.git ? "" : cli.t` (no git repository)`}`],
      [
        cli.t`trusted`,
        config.trusted
          ? cli.t`yes: active content of this folder is loaded`
          : cli.t`no: active content of this folder is not loaded`,
      ],
      [cli.t`hooks`, hooksText(cli.t, config)],
      [cli.t`extensions`, extensionsText(cli.t, resources)],
      [cli.t`mcp`, await mcpText(cli, options, config)],
      [cli.t`skills`, libraryText(cli.t, resources)],
      [cli.t`themes`, themesText(cli.t, resources, config, cli)],
      [cli.t`sandbox`, await sandboxText(cli, options, config)],
      [cli.t`model`, await modelText(cli, config)],
      [cli.t`keys`, keysText(cli.t, cli, config, resources)],
      [cli.t`proxy`, proxyText(cli.t, cli)],
    ]
    const indent = `\n${" ".repeat(labelWidth)}`
    const problems = [...config.lines, ...sessions.lines, ...problemLines(cli.t, resources)]
    if (options.json === true) return `${JSON.stringify({ ...Object.fromEntries(rows), problems })}\n`
    const lines = rows.map(([name, text]) => padTo(name, labelWidth) + text.replaceAll("\n", indent))
    return `${[...lines, ...problems].join("\n")}\n`
  })
}

async function modelText(cli: Cli, config: Config): Promise<string> {
  const { model } = config.settings.values
  if (model === null) return cli.t`none set (-m, GONG_MODEL or the setting model)`
  const server = await describeServer(cli, config)
  return server === "" ? model : `${model}\n${server}`
}

/** Width of a label with padding. */
const labelWidth = 11

/** The active hooks with their files. */
function hooksText(t: Translate, { hooks }: Config): string {
  if (hooks.length === 0) return t`none`
  return hooks.map((hook) => t`${nameOf(hook)} from ${hook.from}`).join("\n")
}

/** The extensions with their registrations. */
function extensionsText(t: Translate, { extensions: { rows } }: Resources): string {
  const texts = rows.map(({ name, path, brings }) => t`${name} from ${path}: ${brings ?? t`not loaded`}`)
  return texts.length === 0 ? t`none` : texts.join("\n")
}

/** The configured servers; none is started. */
async function mcpText(cli: Cli, options: Options, config: Config): Promise<string> {
  if (!hasServers({ services: cli, spec: options, config })) return cli.t`none`
  const { readServers } = await import("@gong/config/mcp/read")
  const { servers, lines } = await readServers(config.home, config.trusted, cli.env)
  const rows = servers.map(({ name, entry, place, disabled }) => {
    const target = entry.url ?? [entry.command, ...(entry.args ?? [])].join(" ")
    return `${name}: ${printableLine(target)} (${place})${disabled ? cli.t`, off` : ""}`
  })
  return [...rows, ...lines.map(cli.t.text)].join("\n")
}

function libraryText(t: Translate, { skills, templates, contextFiles }: Resources): string {
  return t`${skills.length}, templates ${templates.length}, instruction files ${contextFiles.length} (gong skills list, gong config prompt)`
}

function themesText(t: Translate, { themes }: Resources, { settings }: Config, { userHome }: Cli): string {
  const chosen = findTheme(themes, settings.values.theme, userHome)
  const rows = themes.map((theme) => `${theme.name}${theme === chosen ? t` (active)` : ""} ${theme.location}`)
  return rows.length === 0 ? t`none` : rows.join("\n")
}

/** Problems with their kinds, since this report is complete. */
function problemLines(t: Translate, { extensions, diagnostics }: Resources): readonly string[] {
  return [
    ...extensions.lines.map((one) => `gong: ${t.text(one)}`),
    ...diagnostics.map((one) => typedDiagnostic(t, one)),
  ]
}

async function imagesText(t: Translate): Promise<string> {
  const codec = await openImageCodec()
  if (codec === null) return t`no library: large images are not sent to the model. Run npm ci again.`
  const slow = codec.name === "sharp" ? "" : t`, five times slower than sharp, which npm could not install`
  return t`large ones are scaled down by ${codec.name}${slow}`
}

/** Tested now, not from the cache. */
async function sandboxText(cli: Cli, options: Options, config: Config): Promise<string> {
  const host = async () =>
    createLocalHost({ cwd: config.workspace.cwd, project: config.workspace.folder, env: cli.env })
  const deps = {
    services: cli,
    spec: options,
    config,
    persistent: options.noSession !== true && existsSync(config.home),
    host,
  }
  const { bwrap, reason } = await availableSandbox(deps, { fresh: true })
  if (bwrap !== null) return cli.t`${bwrap.path} works: commands may write only in the workspace and temp`
  return cli.t`none: ${reason}${adviceFor(cli.t, englishOf(reason))}. Without it, commands that are not known to only read need permission.`
}

function adviceFor(t: Translate, reason: string): string {
  if (reason.includes("not installed")) return t` (apt install bubblewrap, dnf install bubblewrap)`
  if (reason.includes("AppArmor"))
    return t` (sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a profile for bwrap)`
  if (reason.includes("user namespaces")) return t` (start the container with permission to create them)`
  return ""
}

function homeText(t: Translate, home: string): string {
  if (!existsSync(home)) return t`${home} (created on first use)`
  try {
    if (!statSync(home).isDirectory()) return t`${home} is not a folder. Move it away, or set GONG_HOME to a folder.`
    accessSync(home, constants.W_OK)
    return home
  } catch {
    return t`${home} is not writable. Set GONG_HOME to a writable folder, or use --no-session.`
  }
}

/** Caches of compiled code, and of package managers in the sandbox. Not used if others can write to them. */
async function cachesText(t: Translate, home: string): Promise<string> {
  const { problem } = privateFolder(home, ["cache", "code"], { make: false })
  if (problem !== null) return t`none: ${problem}. Each start takes longer, and packages are fetched again.`
  const { workspaces, bytes, more } = await sizeOfToolCaches(home)
  const megabytes = `${more ? "> " : ""}${Math.round(bytes / 1e6)}`
  return t`${join(home, "cache")}; of package managers in the sandbox: ${megabytes} MB, workspaces ${workspaces}`
}

async function sessionsOf(
  cli: Cli,
  config: Config,
): Promise<{ readonly text: string; readonly lines: readonly string[] }> {
  const { t } = cli
  const { home } = config
  try {
    const { sessions, unreadable } = await storageOf(cli, config).sessions.list()
    const line = unreadableLine(t, unreadable)
    return { text: t`${sessions.length} in ${home}/sessions`, lines: line === null ? [] : [line] }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    const text = t`${home}/sessions cannot be read (${codeOf(error.failure.cause)}). Change its owner (chown), or move it away.`
    return { text, lines: [] }
  }
}

/** Providers with a key, and its source; never the key. */
function keysText(t: Translate, { env }: Cli, config: Config, { extensions }: Resources): string {
  const { auth } = config
  const registry = registryWith(config.registry, extensions.providers)
  const rows = must(keyRows({ env, auth, registry })).filter(({ used, problem }) => used || problem !== undefined)
  const any = rows.find(({ provider }) => provider === null)
  if (any) return t`${any.from}, for any provider`
  if (rows.length === 0)
    return t`none. Store one with gong login, or export ANTHROPIC_API_KEY=...; demo without a key: gong demo`
  return rows
    .map(({ provider, from, problem }) =>
      problem === undefined ? `${provider} (${from})` : t`${provider} (${from}, not used: ${problem})`,
    )
    .join(", ")
}

/** The proxy for model providers, without its password. */
function proxyText(t: Translate, { env }: Cli): string {
  try {
    const proxy = proxyFor(new URL("https://model.invalid"), env)
    if (!proxy) return t`none`
    const noProxy = env["NO_PROXY"] || env["no_proxy"]
    return noProxy
      ? t`${proxy.name} (${proxy.variable}), except for ${noProxy} (NO_PROXY) and this machine`
      : t`${proxy.name} (${proxy.variable}), except for this machine`
  } catch (error) {
    return t(failureOf(error))
  }
}
