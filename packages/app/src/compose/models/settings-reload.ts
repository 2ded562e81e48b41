import { join } from "node:path"
import { type Host, localHost, type Notification, phrase, textNotification, ownFolder } from "@gong/spec"
import type { SessionSpec } from "@gong/config/session-spec"
import type { Settings } from "@gong/config/settings/resolve"
import { type SettingName, settingNames } from "@gong/config/settings/schema"
import type { TemplateExpander } from "@gong/session/input/template-expander"
import type { LiveSettings } from "@gong/session/session"
import type { Services } from "../../services.ts"
import { compactionNumbers } from "./compaction.ts"
import { type Config, readConfig } from "../config.ts"
import { liveSettings } from "./settings-values.ts"
import type { RunControls } from "./run-controls.ts"

/** Settings that a session follows while it is open; the others are parts of it that were chosen at its beginning. */
const followed: readonly SettingName[] = [
  "ask.timeout",
  "writeGuard",
  "queue.steer",
  "queue.followUp",
  "retry.count",
  "retry.baseMs",
  "compaction.auto",
  "compaction.reserveTokens",
  "compaction.keepRecentTokens",
]

export interface SessionContext {
  readonly services: Services
  readonly spec: SessionSpec
  readonly config: Config
}

/**
 * The expander of a session that also follows the settings files: before a prompt one scan finds whether one has changed, and
 * only then they are read. A file that cannot be read changes nothing, with a notification.
 */
export function followSettings(
  { services, spec, config }: SessionContext,
  controls: RunControls,
  expander: TemplateExpander,
): TemplateExpander {
  // A bare run has no settings files.
  if (spec.bare === true) return expander
  const { home, machine, host, hosts, workspace } = config
  const files = [
    { host: machine, path: join(home, "settings.json") },
    { host, path: join(workspace.folder, ownFolder, "settings.json") },
  ]
  let stamp = stampOf(files)
  let settings = config.settings
  const renewed = async (): Promise<readonly Notification[]> => {
    const now = stampOf(files)
    const before = await stamp
    stamp = now
    if ((await now) === before) return []
    const cwd = host.id === localHost ? {} : { cwd: workspace.cwd }
    const read = await readConfig(services, { ...spec, ...cwd }, { hosts, id: host.id })
    if (!read.ok)
      return read.error.texts.map((line) => notification(services.t`${line} What was set before still holds.`))
    const changed = settingNames.filter((name) => !same(settings, read.value.settings, name))
    const fresh = read.value.lines.filter((line) => !config.lines.includes(line)).map((line) => notification(line))
    settings = read.value.settings
    controls.set(changedIn(read.value, changed, controls))
    return [...fresh, ...said(changed)]
  }
  return { ...expander, refresh: async () => [...(await renewed()), ...(await expander.refresh())] }
}

interface SettingsFile {
  readonly host: Pick<Host, "look">
  readonly path: string
}

async function stampOf(files: readonly SettingsFile[]): Promise<string> {
  return (await Promise.all(files.map(stampOfFile))).join()
}

/** One that may no longer be looked at has changed: what is wrong with it is said where it is read. */
async function stampOfFile({ host, path }: SettingsFile): Promise<string> {
  const [looked] = await host.look([path])
  if (looked?.ok !== true) return looked?.code ?? "EIO"
  const { mtimeMs, size, id } = looked.value.stat
  return `${mtimeMs} ${size} ${id}`
}

function same(before: Settings, now: Settings, name: SettingName): boolean {
  return JSON.stringify(before.values[name]) === JSON.stringify(now.values[name])
}

/** Only what changed in the file: what a person switched in this session stays as they wanted it. */
function changedIn(config: Config, changed: readonly SettingName[], controls: RunControls): Partial<LiveSettings> {
  const { retry, ...rest } = liveSettings(config)
  const has = (group: string): boolean => changed.some((name) => name.startsWith(group))
  const { compaction } = controls.settings()
  return {
    ...rest,
    ...(has("retry.") && { retry }),
    ...(has("compaction.") && { compaction: { ...compaction, ...compactionNumbers(config.settings) } }),
  }
}

function said(changed: readonly SettingName[]): readonly Notification[] {
  const now = changed.filter((name) => followed.includes(name))
  const later = changed.filter((name) => !followed.includes(name))
  const texts = [
    now.length === 1 ? phrase`settings: ${now[0]} has changed.` : phrase`settings: ${now.join(", ")} have changed.`,
    later.length === 1
      ? phrase`settings: ${later[0]} has changed for new sessions.`
      : phrase`settings: ${later.join(", ")} have changed for new sessions.`,
  ]
  return [now, later].flatMap((names, at) =>
    names.length > 0 ? [textNotification("settings", "info", texts[at] ?? "")] : [],
  )
}

function notification(line: string): Notification {
  return textNotification("settings", "warn", line.replace(/^gong: /, ""))
}
