import { type Host, phrase, ownFolder } from "@gong/spec"
import { dirname } from "node:path"
import { readConfig, currentWorkspace } from "../compose/config.ts"
import { homeFolder } from "@gong/config/home"
import { changeSetting, parseSettingName, type SettingsTarget } from "@gong/config/settings/change-setting"
import type { Settings } from "@gong/config/settings/resolve"
import { type SettingName, settingNames } from "@gong/config/settings/schema"
import type { SessionSpec } from "@gong/config/session-spec"
import { attempt, must, type Outcome, usage, usageLines } from "@gong/config/usage"
import { padTo, table } from "@gong/texts/table"
import type { Services } from "../services.ts"
import { trustExtension } from "./trust/extend-trust.ts"
import type { Translate } from "@gong/texts/translator"

/** `gong config [list]`, `get`, `set`, `unset`, `path` and `prompt`: shows and changes settings. */
export type ConfigOptions = SessionSpec & {
  readonly json?: boolean | undefined
  readonly project?: boolean | undefined
}

export function config(services: Services, options: ConfigOptions, words: readonly string[]): Promise<Outcome<string>> {
  const [verb = "list", name = "", text = ""] = words
  return attempt(async () => {
    if (options.project === true && verb !== "set" && verb !== "unset")
      must(usage(phrase`--project works only with gong config set and unset, not with ${verb}.`))
    switch (verb) {
      case "get":
        return get(services, options, must(parseSettingName(name)))
      case "set":
        return change(services, options, must(parseSettingName(name)), text)
      case "unset":
        return change(services, options, must(parseSettingName(name)), null)
      case "path":
        return paths(services, options)
      case "prompt":
        return must(await (await import("./system-prompt.ts")).showPrompt(services, options))
      default:
        return list(services, options)
    }
  })
}

async function list(services: Services, options: ConfigOptions): Promise<string> {
  const { settings, lines } = must(await readConfig(services, options))
  for (const line of lines) services.warn(line)
  const rows = settingNames.map((name) => rowOf(settings, name))
  if (options.json === true) return `${JSON.stringify({ settings: rows })}\n`
  return `${table(rows.map(({ name, value, origin }) => [name, shown(value), originText(services.t, origin)].map((text) => ({ text })))).join("\n")}\n`
}

/** The source of a value: a file, a variable, an option, or the default. */
function originText(t: Translate, origin: string): string {
  return origin === "default" ? t`default` : origin
}

async function get(services: Services, options: ConfigOptions, name: SettingName): Promise<string> {
  const { settings } = must(await readConfig(services, options))
  const row = rowOf(settings, name)
  return options.json === true ? `${JSON.stringify(row)}\n` : `${shown(row.value)}\n`
}

function rowOf({ values, origins }: Settings, name: SettingName) {
  return { name, value: values[name], origin: origins[name] }
}

/** In the syntax of `--set` and `gong config set`; `-` for an unset value. */
export function shown(value: string | number | boolean | readonly string[] | null): string {
  if (value === null) return "-"
  if (typeof value === "boolean") return value ? "on" : "off"
  return Array.isArray(value) ? value.join(",") || "-" : String(value)
}

/** Does not validate the file before the change, so that it can replace an invalid value. */
async function change(
  services: Services,
  options: ConfigOptions,
  name: SettingName,
  text: string | null,
): Promise<string> {
  const { user, project, host } = await settingsTargets(services, options)
  const target = options.project === true ? project : user
  const extendTrust = target.project
    ? must(await trustExtension(services.t, user.folder, { host, root: dirname(target.folder) }))
    : null
  let before: string | null = null
  const after = must(await changeSetting(target, name, text, (found) => (before = found)))
  if (extendTrust !== null) must(await extendTrust({ before, after }))
  const path = `${target.folder}/settings.json`
  const done = text === null ? services.t`${name} is not set in ${path}.` : services.t`${name} is ${text} in ${path}.`
  const now = await readConfig(services, options)
  if (!now.ok) return `${done}\n${usageLines(services.t, now.error).join("\n")}\n`
  const origin = now.value.settings.origins[name]
  const override =
    origin === path || (text === null && origin === "default")
      ? ""
      : services.t` Here ${origin} has precedence${effective(name)}`
  return `${done}${override}\n`

  function effective(setting: SettingName): string {
    if (!now.ok) return "."
    const untrusted = target.project && now.value.trusted === null
    if (untrusted) return services.t`, and the folder is not trusted (gong trust).`
    return `: ${shown(now.value.settings.values[setting])}.`
  }
}

async function paths(services: Services, options: ConfigOptions): Promise<string> {
  const { user, project } = await settingsTargets(services, options)
  const rows = { user: `${user.folder}/settings.json`, project: `${project.folder}/settings.json` }
  if (options.json === true) return `${JSON.stringify(rows)}\n`
  const labelled = [
    [services.t`user`, rows.user],
    [services.t`project`, rows.project],
  ] as const
  return labelled.map(([label, path]) => `${padTo(label, 9)}${path}\n`).join("")
}

/** The folders of both settings files, which may be missing or invalid. */
async function settingsTargets(
  services: Services,
  options: ConfigOptions,
): Promise<{ readonly user: SettingsTarget; readonly project: SettingsTarget; readonly host: Host }> {
  const home = homeFolder(services.env, services.userHome, services.cwd)
  const { host, workspace } = must(await currentWorkspace(services, options))
  const folder = `${workspace.folder}/${ownFolder}`
  return { user: { folder: home, project: false }, project: { folder, project: true }, host }
}
