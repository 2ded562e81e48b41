import { redoneText } from "../../../administration/undo-texts.ts"
import { output, type SlashCommand } from "../../command.ts"

export const redo: SlashCommand = {
  name: "redo",
  about: "repeat the changes that the last /undo reverted",
  async run({ t, controller }) {
    const redone = await controller.current.session.redo()
    return output(redoneText(t, redone).trimEnd().split("\n"))
  },
}
