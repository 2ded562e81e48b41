import { said, type SlashCommand } from "../command.ts"

export const undo: SlashCommand = {
  name: "undo",
  about: "take back the session's changes of files; or its last compaction",
  value: "[compaction]",
  async run({ t, app }, what) {
    if (what !== "" && what !== "compaction")
      return said([t`/undo takes back changes of files, /undo compaction the last compaction.`])
    return said((await app.undo(what === "" ? "changes" : "compaction")).trimEnd().split("\n"))
  },
}
