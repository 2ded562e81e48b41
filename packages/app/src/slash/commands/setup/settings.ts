import { nearest } from "@gong/spec"
import {
  errorLine,
  usageErrorOutput,
  output,
  type SlashCommand,
  type SlashContext,
  type SlashResult,
} from "../../command.ts"
import { type SettingRow, settingRows, setSetting } from "../../setting-rows.ts"

export const settings: SlashCommand = {
  name: "settings",
  aliases: ["config"],
  about: "show settings, or set one permanently",
  value: "[NAME [VALUE]]",
  async complete({ t, controller }) {
    const read = await settingRows(controller)
    return read.ok ? read.value.map(({ name, about }) => ({ value: name, about: t(about) })) : []
  },
  async run(context, rest) {
    const { t, controller } = context
    const read = await settingRows(controller)
    if (!read.ok) return usageErrorOutput(t, read)
    const [setting = "", ...words] = rest.split(/\s+/)
    if (setting === "") return pick(context, read.value)
    const row = read.value.find(({ name }) => name === setting)
    if (row === undefined) {
      const names = read.value.map(({ name }) => name)
      const near = nearest(setting, names)
      return output([t`There is no setting ${setting}.${near === null ? "" : t` Did you mean ${near}?`}`])
    }
    return words.length === 0 ? output([shown(row), t(row.about)], row) : set(context, row.name, words.join(" "))
  },
}

async function pick(context: SlashContext, rows: readonly SettingRow[]): Promise<SlashResult> {
  const { t, user } = context
  const picked = await user.choose(t`Which setting?`, rows.map(shown))
  const row = picked === null ? undefined : rows[picked]
  if (row === undefined) return output([], { settings: rows })
  const value = await user.line(t`${row.name}, ${t(row.about)}; now ${row.value}. New value: `)
  return value === null || value === "" ? output([t`Nothing has changed.`]) : set(context, row.name, value)
}

async function set({ t, controller }: SlashContext, name: string, value: string): Promise<SlashResult> {
  const stored = await setSetting(controller, name, value)
  if (!stored.ok) return usageErrorOutput(t, stored)
  const lines = stored.value.trimEnd().split("\n")
  const opened = await controller.call("reload", {})
  return output(opened.ok ? lines : [...lines, errorLine(t, opened.error.message)], { name, value })
}

function shown({ name, value, origin }: SettingRow): string {
  return `${name} = ${value}${origin === "default" ? "" : ` (${origin})`}`
}
