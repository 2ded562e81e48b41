import { ownFolder } from "@gong/spec"
import { cost as costOf, type Spent } from "@gong/tape"
import { count, amountText } from "@gong/texts/amounts"
import { table } from "@gong/texts/table"
import { output, type SlashCommand } from "../../command.ts"
import type { Translate } from "@gong/texts/translator"

export const cost: SlashCommand = {
  name: "cost",
  aliases: ["usage"],
  about: "cost of the session, by model",
  async run({ t, controller }) {
    const { total, models } = controller.current.session.history.follow(costOf).value
    const rows = [...models].map(([model, sum]) => rowOf(t, model, sum))
    const lines = table(models.size > 1 ? [...rows, rowOf(t, t`total`, total)] : rows)
    if (lines.length === 0) return output([t`This session has no requests yet.`], { total, models: {} })
    const unpriced = [...models].filter(([, { cost: sum }]) => sum === null).map(([model]) => model)
    const price =
      unpriced.length === 0
        ? []
        : [
            t`The cost of ${unpriced.join(", ")} is unknown. A price in ~/${ownFolder}/models.json makes it known (docs/models.md).`,
          ]
    return output([...lines, ...price], { total, models: Object.fromEntries(models) })
  },
}

function rowOf(t: Translate, what: string, sum: Spent) {
  const { usage, calls } = sum
  const cells = [
    t`${calls} request${calls === 1 ? "" : "s"}`,
    t`${count(usage.input)} in`,
    t`${count(usage.cacheRead)} cached`,
    t`${count(usage.output)} out`,
    // Said once, below.
    sum.cost === null && (sum.knownCost ?? 0) === 0 ? "-" : amountText(t, sum),
  ]
  return [{ text: what }, ...cells.map((text) => ({ text, right: true as const }))]
}
