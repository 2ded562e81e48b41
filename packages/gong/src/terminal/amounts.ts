import { say } from "../texts/say.ts"

/** `184,000` in every locale. */
export function count(tokens: number): string {
  return String(Math.round(tokens)).replaceAll(/\B(?=(?:\d{3})+$)/g, ",")
}

export function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}

/** `$0.011`; where the list is in yuan, `¥0.074 ($0.011)`. */
export function spent({ cost, costCny }: { readonly cost: number | null; readonly costCny?: number }): string {
  return costCny === undefined ? money(cost) : `¥${costCny.toFixed(costCny < 1 ? 3 : 2)} (${money(cost)})`
}

/** `$0.0029`; what is not known is said to be unknown, never shown as 0. */
export function money(cost: number | null): string {
  if (cost === null) return say`cost unknown`
  return `$${cost === 0 ? "0.00" : cost < 0.01 ? cost.toFixed(4) : cost.toFixed(3)}`
}
