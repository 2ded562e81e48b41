import { nearest } from "../../nearest.ts"
import { type At, refused, said, type SettingRow, type SlashCommand, type SlashEnd } from "../command.ts"
import { say, worded } from "../../texts/say.ts"

export const settings: SlashCommand = {
  name: "settings",
  about: "show settings, or set one for good",
  value: "[NAME [VALUE]]",
  async run(at, rest) {
    const read = await at.app.settings()
    if (!read.ok) return refused(read)
    const [wanted = "", ...words] = rest.split(/\s+/)
    if (wanted === "") return pick(at, read.value)
    const row = read.value.find(({ name }) => name === wanted)
    if (row === undefined) {
      const names = read.value.map(({ name }) => name)
      const near = nearest(wanted, names)
      return said([say`There is no setting ${wanted}.${near === null ? "" : say` Did you mean ${near}?`}`])
    }
    return words.length === 0 ? said([shown(row), worded(row.about)], row) : set(at, row.name, words.join(" "))
  },
}

async function pick(at: At, rows: readonly SettingRow[]): Promise<SlashEnd> {
  const picked = await at.asking.choose(say`Which one is to change?`, rows.map(shown))
  const row = picked === null ? undefined : rows[picked]
  if (row === undefined) return said([], { settings: rows })
  const value = await at.asking.line(say`${row.name}, ${worded(row.about)}; now ${row.value}. New value: `)
  return value === null || value === "" ? said([say`Nothing has changed.`]) : set(at, row.name, value)
}

async function set(at: At, name: string, value: string): Promise<SlashEnd> {
  const kept = await at.app.set(name, value)
  if (!kept.ok) return refused(kept)
  const lines = kept.value.trimEnd().split("\n")
  const opened = await at.app.open({ kind: "reload" })
  return said(opened.ok ? lines : [...lines, ...opened.error.lines], { name, value })
}

function shown({ name, value, origin }: SettingRow): string {
  return `${name} = ${value}${origin === "default" ? "" : ` (${origin})`}`
}
