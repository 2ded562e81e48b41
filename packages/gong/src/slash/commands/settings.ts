import { usageLines } from "../../config/usage.ts"
import { nearest } from "../../nearest.ts"
import { type At, refused, said, type SettingRow, type SlashCommand, type SlashEnd } from "../command.ts"

export const settings: SlashCommand = {
  name: "settings",
  about: "show settings, or set one for good",
  value: "[NAME [VALUE]]",
  async run(at, rest) {
    const read = await at.app.settings()
    if (!read.ok) return refused(at.t, read)
    const [wanted = "", ...words] = rest.split(/\s+/)
    if (wanted === "") return pick(at, read.value)
    const row = read.value.find(({ name }) => name === wanted)
    if (row === undefined) {
      const names = read.value.map(({ name }) => name)
      const near = nearest(wanted, names)
      return said([at.t`There is no setting ${wanted}.${near === null ? "" : at.t` Did you mean ${near}?`}`])
    }
    return words.length === 0 ? said([shown(row), at.t(row.about)], row) : set(at, row.name, words.join(" "))
  },
}

async function pick(at: At, rows: readonly SettingRow[]): Promise<SlashEnd> {
  const picked = await at.asking.choose(at.t`Which one is to change?`, rows.map(shown))
  const row = picked === null ? undefined : rows[picked]
  if (row === undefined) return said([], { settings: rows })
  const value = await at.asking.line(at.t`${row.name}, ${at.t(row.about)}; now ${row.value}. New value: `)
  return value === null || value === "" ? said([at.t`Nothing has changed.`]) : set(at, row.name, value)
}

async function set(at: At, name: string, value: string): Promise<SlashEnd> {
  const kept = await at.app.set(name, value)
  if (!kept.ok) return refused(at.t, kept)
  const lines = kept.value.trimEnd().split("\n")
  const opened = await at.app.open({ kind: "reload" })
  return said(opened.ok ? lines : [...lines, ...usageLines(at.t, opened.error)], { name, value })
}

function shown({ name, value, origin }: SettingRow): string {
  return `${name} = ${value}${origin === "default" ? "" : ` (${origin})`}`
}
