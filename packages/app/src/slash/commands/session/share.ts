import { errorOutput, output, type SlashCommand } from "../../command.ts"
import { newFile } from "../../export-file.ts"

export const share: SlashCommand = {
  name: "share",
  about: "write the session to a file for others",
  async run({ t, controller, user }) {
    const warning = t`It contains the whole conversation: texts of files, commands and their output.`
    if (!(await user.confirm(t`${warning} Write it to a file?`))) return output([t`Nothing was written.`])
    const written = await newFile(controller, "")
    if (!written.ok) return errorOutput(t, written)
    const lines = [
      t`The session is in ${written.data.file}.`,
      t`Gong uploads nothing: review the file, then share it yourself.`,
    ]
    return output(lines, { file: written.data.file, uploaded: false })
  },
}
