import { errorOutput, output, type SlashCommand } from "../../command.ts"

/** Lines of all files together. */
const maxLines = 500

export const diff: SlashCommand = {
  name: "diff",
  about: "file changes of the session",
  value: "[FILE]",
  async complete({ controller }) {
    const diff = await controller.call("get_diff", {})
    return diff.ok ? diff.data.files.map(({ path }) => ({ value: path })) : []
  },
  async run({ t, controller }, path) {
    const diff = await controller.call("get_diff", path === "" ? {} : { path })
    if (!diff.ok) return errorOutput(t, diff)
    const { files } = diff.data
    if (files.length === 0) {
      const where = path === "" ? "" : t` in ${path}`
      return output([t`The session has no changes${where}.`], { files })
    }
    const lines = files.flatMap((one) => one.lines)
    const left = lines.length - maxLines
    const more = left > 0 ? [t`... and ${left} more lines; /diff FILE shows one file`] : []
    const shown = output([...lines.slice(0, maxLines), ...more], { session: controller.current.session.id, files })
    return { ...shown, ...(path === "" && { view: "changes" }) }
  },
}
