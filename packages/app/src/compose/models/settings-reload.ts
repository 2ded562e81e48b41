import { join } from "node:path"
import { type Host, localHost, type Notification, phrase, textNotification, ownFolder } from "@gong/spec"
import type { Settings } from "@gong/config/settings/resolve"
import { type SettingName, settingNames } from "@gong/config/settings/schema"
import type { TemplateExpander } from "@gong/session/input/template-expander"
import type { LiveSettings } from "@gong/session/session"
import { compactionNumbers } from "./compaction.ts"
import { type Config, readConfig, type SessionContext } from "../config.ts"
import { liveSettings } from "./settings-values.ts"
import type { RunControls } from "./run-controls.ts"

/** Settings that take effect in an open session; the others need a new one. */
const live: readonly SettingName[] = [
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

/**
 * Adds the reload of settings files to the expander of a session. Before each prompt the files are checked for changes, and read
 * only if they changed. An unreadable file changes nothing and is reported.
 */
export function reloadSettings(
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
  const reload = async (): Promise<readonly Notification[]> => {
    const current = stampOf(files)
    const previous = await stamp
    stamp = current
    if ((await current) === previous) return []
    const cwd = host.id === localHost ? {} : { cwd: workspace.cwd }
    const read = await readConfig(services, { ...spec, ...cwd }, { hosts, id: host.id })
    if (!read.ok)
      return read.error.texts.map((line) => warning(services.t`${line} The previous settings stay in effect.`))
    const changed = settingNames.filter((name) => !isEqual(settings, read.value.settings, name))
    const newLines = read.value.lines.filter((line) => !config.lines.includes(line)).map((line) => warning(line))
    settings = read.value.settings
    controls.set(changedIn(read.value, changed, controls))
    return [...newLines, ...changeNotifications(changed)]
  }
  return { ...expander, refresh: async () => [...(await reload()), ...(await expander.refresh())] }
}

interface SettingsFile {
  readonly host: Pick<Host, "look">
  readonly path: string
}

async function stampOf(files: readonly SettingsFile[]): Promise<string> {
  return (await Promise.all(files.map(stampOfFile))).join()
}

/** An error counts as a change, and is reported when the file is read. */
async function stampOfFile({ host, path }: SettingsFile): Promise<string> {
  const [found] = await host.look([path])
  if (found?.ok !== true) return found?.code ?? "EIO"
  const { mtimeMs, size, id } = found.value.stat
  return `${mtimeMs} ${size} ${id}`
}

function isEqual(a: Settings, b: Settings, name: SettingName): boolean {
  return JSON.stringify(a.values[name]) === JSON.stringify(b.values[name])
}

/** Only settings that changed in a file, so that selections of the user in this session stay. */
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

function changeNotifications(changed: readonly SettingName[]): readonly Notification[] {
  const now = changed.filter((name) => live.includes(name))
  const later = changed.filter((name) => !live.includes(name))
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

function warning(line: string): Notification {
  return textNotification("settings", "warn", line.replace(/^gong: /, ""))
}
