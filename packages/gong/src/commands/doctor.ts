import { accessSync, constants, existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { failureOf } from "@gong/spec"
import { proxyFor } from "@gong/llm/transport"
import { openImageCodec } from "@gong/tools/host/image-codec"
import type { Unreadable } from "@gong/tape/file"
import { createLocalHost } from "@gong/tools/host/local"
import { registryWith } from "../build/brought-providers.ts"
import { type Config, readConfig } from "../build/config.ts"
import { toldLine, typedDiagnostic } from "../build/diagnostics.ts"
import { keyRows } from "../build/key-rows.ts"
import { type Resources, resourcesOf } from "../build/resources.ts"
import { availableSandbox } from "../build/sandbox.ts"
import { passedOverLine } from "../build/passed-over.ts"
import { storedSessions } from "../build/tape.ts"
import { sizeOfToolCaches } from "../build/tool-caches.ts"
import { chosenOf } from "../build/theme.ts"
import type { Options } from "../config/flags.ts"
import { privateFolder } from "../config/private-folder.ts"
import { attempt, codeOf, must, type Outcome } from "../config/usage.ts"
import type { World } from "../world.ts"
import { nameOf } from "../hooks/parse.ts"
import { ripgrep } from "./version.ts"
import { filledUp } from "../terminal/table.ts"
import { say, told } from "../texts/say.ts"

/** `gong doctor`: what works on this machine, and what to do about what does not. */
export function doctor(world: World, options: Options): Promise<Outcome<string>> {
  return attempt(async () => {
    const config = must(await readConfig(world, options))
    const rg = await ripgrep(world)
    const resources = must(await resourcesOf(world, options, config))
    const sessions = sessionsOf(config.home)
    const rows: readonly (readonly [string, string])[] = [
      ["gong", world.version],
      ["node", say`${world.node} on ${world.platform}`],
      ["ripgrep", rg ? `${rg.version} (${rg.path})` : say`not found: grep and find will not work. Run npm ci again.`],
      [say`images`, await imagesText()],
      [say`home`, homeText(config.home)],
      [say`caches`, await cachesText(config.home)],
      [say`sessions`, sessions.text],
      [say`workspace`, `${config.workspace.folder}${config.workspace.git ? "" : say` (no git repository)`}`],
      [
        say`trusted`,
        config.trusted ? say`yes: what this folder brings is loaded` : say`no: what this folder brings is not loaded`,
      ],
      [say`hooks`, hooksText(config)],
      [say`extensions`, extensionsText(resources)],
      [say`skills`, libraryText(resources)],
      [say`themes`, themesText(resources, config, world)],
      [say`sandbox`, await sandboxText(world, options, config)],
      [say`model`, config.settings.values.model ?? say`none set (-m, GONG_MODEL or the setting model)`],
      [say`keys`, keysText(world, config, resources)],
      [say`proxy`, proxyText(world)],
    ]
    const indent = `\n${" ".repeat(labelWidth)}`
    const lines = rows.map(([name, text]) => filledUp(name, labelWidth) + text.replaceAll("\n", indent))
    return `${[...lines, ...config.lines, ...sessions.lines, ...problemLines(resources)].join("\n")}\n`
  })
}

/** Columns of a label and the blanks behind it. */
const labelWidth = 11

/** Each active hook, and the file that names it. */
function hooksText({ hooks }: Config): string {
  if (hooks.length === 0) return say`none`
  return hooks.map((hook) => say`${nameOf(hook)} from ${hook.from}`).join("\n")
}

/** Loaded for this look, and what each then brings. */
function extensionsText({ extensions: { rows } }: Resources): string {
  const texts = rows.map(({ name, path, brings }) => say`${name} from ${path}: ${brings ?? say`not loaded`}`)
  return texts.length === 0 ? say`none` : texts.join("\n")
}

function libraryText({ skills, templates, contextFiles }: Resources): string {
  return say`${skills.length}, templates ${templates.length}, files of instructions ${contextFiles.length} (gong skills list, gong config prompt)`
}

function themesText({ themes }: Resources, { settings }: Config, { userHome }: World): string {
  const chosen = chosenOf(themes, settings.values.theme, userHome)
  const rows = themes.map((theme) => `${theme.name}${theme === chosen ? say` (chosen)` : ""} ${theme.location}`)
  return rows.length === 0 ? say`none` : rows.join("\n")
}

/** Each with its sort: who looks here wants to know all of it. */
function problemLines({ extensions, diagnostics }: Resources): readonly string[] {
  return [...extensions.lines.map(toldLine), ...diagnostics.map(typedDiagnostic)]
}

async function imagesText(): Promise<string> {
  const codec = await openImageCodec()
  if (codec === null) return say`no library: large images are not shown to the model. Run npm ci again.`
  const slow = codec.name === "sharp" ? "" : say`, five times slower than sharp, which npm could not bring`
  return say`large ones are made smaller by ${codec.name}${slow}`
}

/** Tried now, whatever was found out before. */
async function sandboxText(world: World, options: Options, config: Config): Promise<string> {
  const host = async () =>
    createLocalHost({ cwd: config.workspace.cwd, project: config.workspace.folder, env: world.env })
  const place = { world, options, config, keeps: options.noSession !== true && existsSync(config.home), host }
  const { bwrap, reason } = await availableSandbox(place, { fresh: true })
  if (bwrap !== null) return say`${bwrap.path} works: commands may write only in the workspace and temp`
  return say`none: ${told(reason)}${adviceFor(reason)}. Without it commands off the list ask, or are refused headless.`
}

function adviceFor(reason: string): string {
  if (reason.includes("not installed")) return say` (apt install bubblewrap, dnf install bubblewrap)`
  if (reason.includes("AppArmor"))
    return say` (sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a profile for bwrap)`
  if (reason.includes("user namespaces")) return say` (a container must be started so that it may make them)`
  return ""
}

function homeText(home: string): string {
  if (!existsSync(home)) return say`${home} (made when first needed)`
  try {
    if (!statSync(home).isDirectory()) return say`${home} is no folder. Move it away, or set GONG_HOME to a folder.`
    accessSync(home, constants.W_OK)
    return home
  } catch {
    return say`${home} cannot be written to. Set GONG_HOME to a folder you can write to, or use --no-session.`
  }
}

/** Of code that was compiled before, and of package managers in the sandbox. Where others could write to them none is used. */
async function cachesText(home: string): Promise<string> {
  const { problem } = privateFolder(home, ["cache", "code"], { make: false })
  if (problem !== null) return say`none is kept: ${problem}. Each start takes longer, and packages are fetched again.`
  const { workspaces, bytes, more } = await sizeOfToolCaches(home)
  const megabytes = `${more ? "> " : ""}${Math.round(bytes / 1e6)}`
  return say`${join(home, "cache")}; of package managers in the sandbox: ${megabytes} MB, workspaces ${workspaces}`
}

function sessionsOf(home: string): { readonly text: string; readonly lines: readonly string[] } {
  const unreadable: Unreadable[] = []
  try {
    const { length } = storedSessions({ home, passedOver: (all) => unreadable.push(...all) })
    const line = passedOverLine(unreadable)
    return { text: say`${length} in ${home}/sessions`, lines: line === null ? [] : [line] }
  } catch (error) {
    const text = say`${home}/sessions cannot be read (${codeOf(error)}). Give it back to yourself (chown), or move it away.`
    return { text, lines: [] }
  }
}

/** Which providers have a key, and where it is from; never the key. */
function keysText({ env }: World, config: Config, { extensions }: Resources): string {
  const { auth } = config
  const registry = registryWith(config.registry, extensions.providers)
  const rows = must(keyRows({ env, auth, registry })).filter(({ used, problem }) => used || problem !== undefined)
  const any = rows.find(({ provider }) => provider === null)
  if (any) return say`${any.from}, for whichever provider is asked`
  if (rows.length === 0)
    return say`none. Give one: gong login, or export ANTHROPIC_API_KEY=...; or look first: gong demo`
  return rows
    .map(({ provider, from, problem }) =>
      problem === undefined ? `${provider} (${from})` : say`${provider} (${from}, not used: ${told(problem)})`,
    )
    .join(", ")
}

/** Which proxy model providers are asked through, without its password. */
function proxyText({ env }: World): string {
  try {
    const proxy = proxyFor(new URL("https://model.invalid"), env)
    if (!proxy) return say`none`
    const around = env["NO_PROXY"] || env["no_proxy"]
    const but = around ? say`, but for ${around} (NO_PROXY)` : ""
    return say`${proxy.name} (${proxy.variable})${but} and for this machine`
  } catch (error) {
    return told(failureOf(error).message)
  }
}
