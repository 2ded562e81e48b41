import { redoneText } from "../../commands/undo.ts"
import { said, type SlashCommand } from "../command.ts"

export const redo: SlashCommand = {
  name: "redo",
  about: "make again what the last /undo took back",
  async run({ t, controller }) {
    const redone = await controller.current.session.redo()
    return said(redoneText(t, redone).trimEnd().split("\n"))
  },
}
