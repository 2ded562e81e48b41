import { nearest } from "@gong/spec"
import { usageErrorOutput, output, type SlashCommand, type SlashContext, type SlashResult } from "../../command.ts"
import { changeSetting, type SettingRow, settingRows } from "../../setting-rows.ts"

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
    return words.length === 0
      ? output([shown(row), t(row.about)], row)
      : changeSetting(context, row.name, words.join(" "))
  },
}

async function pick(context: SlashContext, rows: readonly SettingRow[]): Promise<SlashResult> {
  const { t, user } = context
  const preview = async (at: number) => [t(rows[at]?.about ?? "")]
  const picked = await user.choose(t`Which setting?`, rows.map(shown), { preview })
  const row = picked === null ? undefined : rows[picked]
  if (row === undefined) return output([], { settings: rows })
  const value = await newValue(context, row)
  return value === null || value === "" ? output([t`Nothing has changed.`]) : changeSetting(context, row.name, value)
}

async function newValue(
  { t, user }: SlashContext,
  { name, about, value, choices }: SettingRow,
): Promise<string | null> {
  if (choices.length === 0) return user.line(t`${name}, ${t(about)}; now ${value}. New value: `)
  const shownChoices = choices.map((one) => (one === value ? t`${one} (in use)` : one))
  const picked = await user.choose(t`${name}, ${t(about)}:`, shownChoices, { at: choices.indexOf(value) })
  return picked === null ? null : (choices[picked] ?? null)
}

function shown({ name, value, origin }: SettingRow): string {
  return `${name} = ${value}${origin === "default" ? "" : ` (${origin})`}`
}
