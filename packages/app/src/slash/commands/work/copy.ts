import { textOf } from "@gong/spec"
import { transcript } from "@gong/tape"
import { usageErrorOutput, output, type SlashCommand } from "../../command.ts"

export const copy: SlashCommand = {
  name: "copy",
  about: "copy the last answer to the clipboard",
  screen: true,
  async run({ t, controller, user }) {
    const { rows } = controller.current.session.history.follow(transcript).value
    const answers = rows.flatMap((row) => (row.kind === "assistant" ? [textOf(row.message)] : []))
    const text = answers.findLast((answer) => answer.trim() !== "")
    if (text === undefined) return output([t`There is no answer yet.`])
    const copied = await user.copy(text)
    return copied.ok ? output([copied.value], { characters: text.length }) : usageErrorOutput(t, copied)
  },
}
