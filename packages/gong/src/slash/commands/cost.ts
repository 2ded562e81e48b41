import { cost as costOf, type Spent } from "@gong/tape"
import { count, money } from "../../terminal/amounts.ts"
import { table } from "../../terminal/table.ts"
import { said, type SlashCommand } from "../command.ts"

export const cost: SlashCommand = {
  name: "cost",
  about: "what the session has cost, by model",
  async run({ session }) {
    const { total, models } = session.tape.follow(costOf).value
    const rows = [...models].map(([model, spent]) => rowOf(model, spent))
    const lines = table(models.size > 1 ? [...rows, rowOf("together", total)] : rows)
    if (lines.length === 0) return said(["Nothing was asked in this session yet."], { total, models: {} })
    return said(lines, { total, models: Object.fromEntries(models) })
  },
}

function rowOf(what: string, { usage, cost: dollars, calls }: Spent) {
  const cells = [
    `${calls} request${calls === 1 ? "" : "s"}`,
    `${count(usage.input)} in`,
    `${count(usage.cacheRead)} cached`,
    `${count(usage.output)} out`,
    money(dollars),
  ]
  return [{ text: what }, ...cells.map((text) => ({ text, right: true as const }))]
}
