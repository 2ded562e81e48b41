import type { Translate } from "./translator.ts"

/** `184,000` in every locale. */
export function count(tokens: number): string {
  return String(Math.round(tokens)).replaceAll(/\B(?=(?:\d{3})+$)/g, ",")
}

export function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}

export interface Amount {
  readonly cost: number | null
  /** US dollars, if `cost` is null for a part. */
  readonly knownCost?: number
  readonly costCny?: number
}

/** `$0.011`; for prices in yuan, `¥0.074 ($0.011)`; `$0.011+` if a part of the cost is unknown. */
export function amountText(t: Translate, { cost, costCny, knownCost = 0 }: Amount): string {
  const dollars = cost === null && knownCost > 0 ? `${money(t, knownCost)}+` : money(t, cost)
  return costCny === undefined ? dollars : `¥${costCny.toFixed(costCny < 1 ? 3 : 2)} (${dollars})`
}

/** `$0.0029`; an unknown cost is shown as unknown, never as 0. */
export function money(t: Translate, cost: number | null): string {
  if (cost === null) return t`cost unknown`
  return `$${cost === 0 ? "0.00" : cost < 0.01 ? cost.toFixed(4) : cost.toFixed(3)}`
}
