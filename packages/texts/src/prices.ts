import type { Price, Rates } from "@gong/spec"
import type { Translate } from "./translator.ts"

/** `200k`, `1M`, as in the documentation of providers. */
export function tokenSize(count: number): string {
  if (count >= 1_000_000) return `${Number((count / 1_000_000).toFixed(2))}M`
  return `${Math.round(count / 1000)}k`
}

/** Of input, output and cached tokens, in the currency of the list. */
export function priceText(t: Translate, price: Price | undefined): string {
  if (!price) return t`unknown`
  const sign = price.yuanPerDollar === undefined ? "$" : "¥"
  const of = ({ input, output, cacheRead }: Rates) =>
    [input, output, ...(cacheRead === undefined ? [] : [cacheRead])].map((one) => `${sign}${one}`).join(" / ")
  const tiers = (price.tiers ?? []).map((tier) => t`; above ${tokenSize(tier.above)}: ${of(tier)}`)
  return of(price) + tiers.join("")
}
