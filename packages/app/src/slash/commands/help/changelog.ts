import { ownChangelog } from "../../own-changelog.ts"
import { said, type SlashCommand } from "../../command.ts"

/** Lines that are shown; the whole text stands in the file. */
const maxLines = 40

export const changelog: SlashCommand = {
  name: "changelog",
  about: "what is new in Gong",
  async run({ t, controller }) {
    const { version } = controller.services
    const text = ownChangelog()
    if (text === null) return said([t`This is Gong ${version}; its CHANGELOG.md is not part of this installation.`])
    const news = newest(text)
    const left = news.length - maxLines
    const more = left > 0 ? [t`... and ${left} more lines in CHANGELOG.md`] : []
    return said([`Gong ${version}`, ...news.slice(0, maxLines), ...more], { version, news })
  },
}

/** The lines of the first section that says anything: what is not released yet, or the last release. */
function newest(text: string): readonly string[] {
  const sections = text.split(/^## /m).slice(1)
  const first = sections.find((section) =>
    section
      .split("\n")
      .slice(1)
      .some((line) => line.trim() !== ""),
  )
  return (first ?? "").split("\n").filter((line) => line.trim() !== "")
}
