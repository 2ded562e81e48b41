import { phrase, type Text } from "@gong/spec"
import type { SessionSpec } from "../session-spec.ts"
import { didYouMean, ok, usage, type Outcome } from "../usage.ts"
import type { SettingsFile } from "./read.ts"
import { isSettingName, settingNames, settingOf, type Setting, type SettingName, type SettingValues } from "./schema.ts"
import { fromText, type SettingRead, type SettingValue } from "./value.ts"

export interface SettingSources {
  readonly spec: SessionSpec
  readonly env: Readonly<Record<string, string | undefined>>
  readonly project: SettingsFile | null
  readonly user: SettingsFile | null
}

export interface Settings {
  readonly values: SettingValues
  /** Source of each value: `--model`, `--set`, `GONG_MODEL`, a file's path, `default`. */
  readonly origins: Readonly<Record<SettingName, string>>
  readonly warnings: readonly Text[]
}

/** One value per setting: option > GONG_* > project > user > default. Errors end here, before anything is sent. */
export function resolveSettings(sources: SettingSources): Outcome<Settings> {
  const set = readSet(sources.spec.set ?? [])
  if (!set.ok) return set
  const values: Partial<Record<SettingName, SettingValue | null>> = {}
  const origins: Partial<Record<SettingName, string>> = {}
  for (const name of settingNames) {
    const found = find(name, sources, set.value)
    if (!found.read.ok) {
      return usage(phrase`${found.origin === "--set" ? `--set: "${name}"` : found.origin} ${found.read.problem}`)
    }
    values[name] = found.read.value
    origins[name] = found.origin
  }
  const warnings = [...(sources.user?.warnings ?? []), ...(sources.project?.warnings ?? [])]
  // Guaranteed: each name was visited and each value checked against its row.
  return ok({ values: values as SettingValues, origins: origins as Record<SettingName, string>, warnings })
}

interface Found {
  readonly read: SettingRead | { readonly ok: true; readonly value: SettingValue | null }
  readonly origin: string
}

function find(name: SettingName, sources: SettingSources, set: ReadonlyMap<string, string>): Found {
  const setting: Setting = settingOf(name)
  const given = fromOption(setting, sources.spec)
  if (given !== null) return given
  const pair = set.get(name)
  if (pair !== undefined) return { read: fromText(setting, pair), origin: "--set" }
  const variable = setting.env === undefined ? undefined : sources.env[setting.env]
  // Shells use an empty variable for "not set".
  if (setting.env !== undefined && variable !== undefined && variable !== "") {
    return { read: fromText(setting, variable), origin: setting.env }
  }
  if (setting.kind === "rules") return joined(name, sources)
  for (const file of [sources.project, sources.user]) {
    const value = file?.values.get(name)
    if (file && value !== undefined) return { read: { ok: true, value }, origin: file.path }
  }
  return { read: { ok: true, value: setting.default }, origin: "default" }
}

/** Rules are combined: the project's denials add to the user's. */
function joined(name: SettingName, { project, user }: SettingSources): Found {
  const files = [project, user].filter((file) => file?.values.has(name) === true)
  const value = files.flatMap((file) => (file?.values.get(name) as readonly string[] | undefined) ?? [])
  return { read: { ok: true, value: [...new Set(value)] }, origin: files[0]?.path ?? "default" }
}

function fromOption(setting: Setting, spec: SessionSpec): Found | null {
  const given = setting.flag === undefined ? undefined : spec[setting.flag]
  if (setting.flag === undefined || given === undefined) return null
  const origin = `--${setting.flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  // Command line values are already validated; only unsupported ones are left.
  if (typeof given === "string") return { read: fromText(setting, given), origin }
  return { read: { ok: true, value: setting.flagMeans ?? (given as SettingValue) }, origin }
}

function readSet(pairs: readonly string[]): Outcome<ReadonlyMap<string, string>> {
  const set = new Map<string, string>()
  for (const pair of pairs) {
    const equals = pair.indexOf("=")
    const name = pair.slice(0, equals)
    if (!isSettingName(name))
      return usage(phrase`--set: there is no setting "${name}".${didYouMean(name, settingNames)}`)
    set.set(name, pair.slice(equals + 1))
  }
  return ok(set)
}
