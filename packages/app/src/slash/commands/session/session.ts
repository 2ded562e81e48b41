import { cost, runs, sessionName } from "@gong/tape"
import { amountText } from "@gong/texts/amounts"
import { table } from "@gong/texts/table"
import { output, type SlashCommand } from "../../command.ts"

export const session: SlashCommand = {
  name: "session",
  aliases: ["status"],
  about: "the session's id, file, model and size",
  async run({ t, controller }) {
    const { session: open, info } = controller.current
    const { history, selection } = open
    const { total } = history.follow(cost).value
    const data = {
      id: open.id,
      name: history.follow(sessionName).value,
      file: info.tape,
      workspace: info.workspace,
      cwd: info.cwd,
      model: `${selection.provider.model.provider}/${selection.provider.model.id}`,
      thinking: selection.thinking,
      permission: open.permission,
      steps: history.branch.length,
      runs: history.follow(runs).value.count,
      cost: total.cost,
      ...(total.costCny === undefined ? {} : { costCny: total.costCny }),
    }
    const { costCny: _, ...lines } = data
    const shown = {
      ...lines,
      name: data.name ?? t`(none)`,
      file: data.file ?? t`(not kept)`,
      // The row is named "cost".
      cost: total.cost === null && total.knownCost === 0 ? t`unknown` : amountText(t, total),
    }
    const rows = Object.entries(shown).map(([what, value]) => [{ text: t(what) }, { text: String(value) }])
    return output(table(rows), data)
  },
}
