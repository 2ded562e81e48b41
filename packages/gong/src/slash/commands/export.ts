import { refused, said, type SlashCommand } from "../command.ts"
import { exportName } from "../export-name.ts"

export const exportTo: SlashCommand = {
  name: "export",
  about: "the session to a file: .md for people, .jsonl for Pi",
  value: "[FILE]",
  async run({ t, app, info }, file) {
    const written = await app.export(file === "" ? exportName(info.id) : file)
    return written.ok ? said([t`The session is in ${written.value}.`], { file: written.value }) : refused(t, written)
  },
}
