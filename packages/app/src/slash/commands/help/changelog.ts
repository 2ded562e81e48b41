import { ownChangelog } from "../../own-changelog.ts"
import { output, type SlashCommand } from "../../command.ts"

/** Shown lines; the file contains all. */
const maxLines = 40

export const changelog: SlashCommand = {
  name: "changelog",
  about: "what is new in Gong",
  async run({ t, controller }) {
    const { version } = controller.services
    const text = ownChangelog()
    if (text === null) return output([t`This is Gong ${version}; its CHANGELOG.md is not part of this installation.`])
    const news = newestSection(text)
    const left = news.length - maxLines
    const more = left > 0 ? [t`... and ${left} more lines in CHANGELOG.md`] : []
    return output([`Gong ${version}`, ...news.slice(0, maxLines), ...more], { version, news })
  },
}

/** The lines of the first section that is not empty: unreleased changes, or the last release. */
function newestSection(text: string): readonly string[] {
  const sections = text.split(/^## /m).slice(1)
  const first = sections.find((section) =>
    section
      .split("\n")
      .slice(1)
      .some((line) => line.trim() !== ""),
  )
  return (first ?? "").split("\n").filter((line) => line.trim() !== "")
}
