import { said, type SlashCommand } from "../command.ts"

/** Lines of all files together. */
const maxLines = 500

export const diff: SlashCommand = {
  name: "diff",
  about: "what the session changed in files",
  value: "[FILE]",
  async run({ t, app, session }, file) {
    const all = await app.diff()
    const files = file === "" ? all : all.filter(({ path }) => path === file || path.endsWith(`/${file}`))
    if (files.length === 0) {
      const where = file === "" || all.length === 0 ? "" : t` in ${file}`
      return said([t`The session changed nothing${where} that is not undone.`], { files })
    }
    const lines = files.flatMap((one) => one.lines)
    const left = lines.length - maxLines
    const more = left > 0 ? [t`... and ${left} more lines; /diff FILE shows one file`] : []
    return said([...lines.slice(0, maxLines), ...more], { session: session.id, files })
  },
}
