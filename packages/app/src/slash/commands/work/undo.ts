import { compactionUndoneText, undoneText } from "../../../administration/undo-texts.ts"
import { said, type SlashCommand } from "../../command.ts"

export const undo: SlashCommand = {
  name: "undo",
  about: "undo the session's file changes, or its last compaction",
  value: "[compaction]",
  complete: async ({ t }) => [{ value: "compaction", about: t`its last compaction` }],
  async run({ t, controller }, what) {
    if (what !== "" && what !== "compaction")
      return said([t`/undo takes back changes of files, /undo compaction the last compaction.`])
    const { session } = controller.current
    const text =
      what === ""
        ? undoneText(t, session.id, await session.undo())
        : compactionUndoneText(t, session.id, session.undoCompaction())
    return said(text.trimEnd().split("\n"))
  },
}
