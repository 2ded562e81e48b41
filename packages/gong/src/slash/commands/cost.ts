import { cost as costOf, type Spent } from "@gong/tape"
import { count, spent } from "../../terminal/amounts.ts"
import { table } from "../../terminal/table.ts"
import { said, type SlashCommand } from "../command.ts"
import { say } from "../../texts/say.ts"

export const cost: SlashCommand = {
  name: "cost",
  about: "what the session has cost, by model",
  async run({ session }) {
    const { total, models } = session.history.follow(costOf).value
    const rows = [...models].map(([model, sum]) => rowOf(model, sum))
    const lines = table(models.size > 1 ? [...rows, rowOf(say`together`, total)] : rows)
    if (lines.length === 0) return said([say`Nothing was asked in this session yet.`], { total, models: {} })
    return said(lines, { total, models: Object.fromEntries(models) })
  },
}

function rowOf(what: string, sum: Spent) {
  const { usage, calls } = sum
  const cells = [
    say`${calls} request${calls === 1 ? "" : "s"}`,
    say`${count(usage.input)} in`,
    say`${count(usage.cacheRead)} cached`,
    say`${count(usage.output)} out`,
    spent(sum),
  ]
  return [{ text: what }, ...cells.map((text) => ({ text, right: true as const }))]
}
