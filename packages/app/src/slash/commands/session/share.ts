import { refusedBy, said, type SlashCommand } from "../../command.ts"
import { exportName, newFile } from "../../export-file.ts"

export const share: SlashCommand = {
  name: "share",
  about: "write the session to a file for others",
  async run({ t, controller, person }) {
    const warning = t`It holds the whole conversation: texts of files, commands and what they printed.`
    if (!(await person.confirm(t`${warning} Write it to a file?`))) return said([t`Nothing was written.`])
    const written = await newFile(controller, exportName(controller.current.session.id))
    if (!written.ok) return refusedBy(t, written)
    const lines = [
      t`The session is in ${written.data.file}.`,
      t`Gong uploads nothing: look through it, then give it to whom you like.`,
    ]
    return said(lines, { file: written.data.file, uploaded: false })
  },
}
