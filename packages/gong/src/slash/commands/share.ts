import { refused, said, type SlashCommand } from "../command.ts"
import { exportName } from "../export-name.ts"

export const share: SlashCommand = {
  name: "share",
  about: "the session as a file that can be given to others",
  async run({ t, app, asking, info }) {
    const warning = t`It holds the whole conversation: texts of files, commands and what they printed.`
    if (!(await asking.confirm(t`${warning} Write it to a file?`))) return said([t`Nothing was written.`])
    const written = await app.export(exportName(info.id))
    if (!written.ok) return refused(t, written)
    const lines = [
      t`The session is in ${written.value}.`,
      t`Gong uploads nothing: look through it, then give it to whom you like.`,
    ]
    return said(lines, { file: written.value, uploaded: false })
  },
}
