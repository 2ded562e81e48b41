import { compactionUndoneText, undoneText } from "../../../administration/undo-texts.ts"
import { matchesPath } from "../../../controller/files/matches-path.ts"
import { output, type SlashCommand } from "../../command.ts"

export const undo: SlashCommand = {
  name: "undo",
  about: "undo file changes of the session, or its last compaction",
  value: "[FILE|compaction]",
  async complete({ t, controller }) {
    const diff = await controller.call("get_diff", {})
    const files = diff.ok ? diff.data.files.map(({ path }) => ({ value: path })) : []
    return [...files, { value: "compaction", about: t`its last compaction` }]
  },
  async run({ t, controller }, what) {
    const { session } = controller.current
    if (what === "compaction") return printed(compactionUndoneText(t, session.id, session.undoCompaction()))
    const undone = await session.undo(what === "" ? undefined : (path) => matchesPath(path, what))
    const { restored, merged, kept, lost } = undone
    if (what !== "" && restored.length + merged.length + kept.length + lost.length === 0)
      return output([t`The session has no changes in ${what}.`])
    return printed(undoneText(t, session.id, undone))
  },
}

function printed(text: string) {
  return output(text.trimEnd().split("\n"))
}
