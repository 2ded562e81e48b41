/** Tokens of one or more replies. `input` is the uncached part; `reasoning` is part of `output`; the total is the sum of the first four. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly reasoning: number
}

/** Money per million tokens, in the currency of the price they belong to. */
export interface Rates {
  readonly input: number
  readonly output: number
  /** Absent: as `input`. */
  readonly cacheRead?: number
  /** Absent: as `input`. */
  readonly cacheWrite?: number
}

/** What a provider charges for a model. */
export interface Price extends Rates {
  /** Other rates for a whole request whose prompt (with what was cached) has more than `above` tokens; in rising order. */
  readonly tiers?: readonly PriceTier[]
  /** The list is in yuan, and so many of them count as a dollar; absent: it is in dollars. */
  readonly yuanPerDollar?: number
}

export interface PriceTier extends Rates {
  readonly above: number
}

export const noUsage: Usage = Object.freeze({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 })

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    reasoning: a.reasoning + b.reasoning,
  }
}

export function totalTokens(usage: Usage): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite
}

/** The share of what was sent that the provider had in its cache, 0 to 1; null when nothing was counted. */
export function cacheHitRate(usage: Usage): number | null {
  const sent = promptOf(usage)
  return sent === 0 ? null : usage.cacheRead / sent
}

/** Cost of one reply in US dollars; `null` when the price or the usage is not known, never 0 for "unknown". */
export function costOf(usage: Usage, price: Price | undefined): number | null {
  return price !== undefined && isKnown(usage, price) ? charged(usage, price) / (price.yuanPerDollar ?? 1) : null
}

/** Cost of one reply as a list in yuan has it; undefined where the list is not in yuan, or the usage not known. */
export function costInYuan(usage: Usage, price: Price | undefined): number | undefined {
  return price?.yuanPerDollar !== undefined && isKnown(usage, price) ? charged(usage, price) : undefined
}

/** No request is without a prompt: a usage that has none was not said. Where all is free that makes no difference. */
function isKnown(usage: Usage, price: Price): boolean {
  return promptOf(usage) > 0 || [price, ...(price.tiers ?? [])].every(isFree)
}

function isFree({ input, output, cacheRead = 0, cacheWrite = 0 }: Rates): boolean {
  return [input, output, cacheRead, cacheWrite].every((rate) => rate === 0)
}

function promptOf({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite
}

function charged(usage: Usage, price: Price): number {
  const prompt = promptOf(usage)
  const rates: Rates = price.tiers?.findLast(({ above }) => prompt > above) ?? price
  const sum =
    usage.input * rates.input +
    usage.output * rates.output +
    usage.cacheRead * (rates.cacheRead ?? rates.input) +
    usage.cacheWrite * (rates.cacheWrite ?? rates.input)
  return sum / 1_000_000
}

/** Sum of two costs; unknown stays unknown. */
export function addCost(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

/** Sum of two costs in yuan; where neither was charged in yuan there is none. */
export function addYuan(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : a + (b ?? 0)
}
