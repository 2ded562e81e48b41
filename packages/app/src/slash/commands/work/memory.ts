import { ownFolder } from "@gong/spec"
import { table } from "@gong/texts/table"
import { output, type SlashCommand } from "../../command.ts"

export const memory: SlashCommand = {
  name: "memory",
  about: "files with instructions for the model",
  async run({ t, controller: { current } }) {
    const files = current.resources.contextFiles.map(({ path, text }) => ({ path, bytes: Buffer.byteLength(text) }))
    const rows = files.map(({ path, bytes }) => [{ text: path }, { text: t`${bytes} bytes` }])
    const how = t`Gong reads AGENTS.md and CLAUDE.md of the workspace and its parent folders, and ${`~/${ownFolder}/AGENTS.md`}. Edit them; /init has the model write one.`
    return output([...table(rows), how], { files })
  },
}
