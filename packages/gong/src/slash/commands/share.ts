import { refused, said, type SlashCommand } from "../command.ts"
import { exportName } from "../export-name.ts"
import { say } from "../../texts/say.ts"

export const share: SlashCommand = {
  name: "share",
  about: "the session as a file that can be given to others",
  async run({ app, asking, info }) {
    const warning = say`It holds the whole conversation: texts of files, commands and what they printed.`
    if (!(await asking.confirm(say`${warning} Write it to a file?`))) return said([say`Nothing was written.`])
    const written = await app.export(exportName(info.id))
    if (!written.ok) return refused(written)
    const lines = [
      say`The session is in ${written.value}.`,
      say`Gong uploads nothing: look through it, then give it to whom you like.`,
    ]
    return said(lines, { file: written.value, uploaded: false })
  },
}
