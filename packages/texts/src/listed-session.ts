import type { ListedSession } from "@gong/spec"
import { truncate } from "./table.ts"
import type { Translate } from "./translator.ts"

const titleWidth = 60

export function titleOf(t: Translate, { name, title }: Pick<ListedSession, "name" | "title">): string {
  return truncate(name ?? title ?? t`(empty)`, titleWidth)
}

/** Minutes are enough to know a session again. */
export function minuteText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replace("T", " ")
}

interface ListedCost {
  readonly cost: number
  readonly costCny: number
  readonly unpriced: number
}

/** The known cost; "?" without any price. Amounts in yuan come before dollars. */
export function costText({ cost, costCny, unpriced }: ListedCost): string {
  if (cost === 0) return unpriced > 0 ? "$?" : "$0"
  const dollars = `$${cost.toFixed(cost < 0.1 ? 4 : 2)}${unpriced > 0 ? "+" : ""}`
  return costCny === 0 ? dollars : `¥${costCny.toFixed(costCny < 0.1 ? 4 : 2)} (${dollars})`
}
