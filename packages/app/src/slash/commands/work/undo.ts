import { compactionUndoneText, undoneText } from "../../../administration/undo-texts.ts"
import { output, type SlashCommand } from "../../command.ts"

export const undo: SlashCommand = {
  name: "undo",
  about: "undo the session's file changes, or its last compaction",
  value: "[compaction]",
  complete: async ({ t }) => [{ value: "compaction", about: t`its last compaction` }],
  async run({ t, controller }, what) {
    if (what !== "" && what !== "compaction")
      return output([t`/undo reverts file changes, /undo compaction reverts the last compaction.`])
    const { session } = controller.current
    const text =
      what === ""
        ? undoneText(t, session.id, await session.undo())
        : compactionUndoneText(t, session.id, session.undoCompaction())
    return output(text.trimEnd().split("\n"))
  },
}
