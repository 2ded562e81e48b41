import { errorOutput, output, type SlashCommand } from "../../command.ts"
import { newFile } from "../../export-file.ts"

export const exportTo: SlashCommand = {
  name: "export",
  about: "write the session to a file: .md for people, .jsonl for Pi",
  value: "[FILE]",
  async run({ t, controller }, file) {
    const written = await newFile(controller, file)
    return written.ok
      ? output([t`The session is in ${written.data.file}.`], { file: written.data.file })
      : errorOutput(t, written)
  },
}
