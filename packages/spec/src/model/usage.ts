/** Tokens of one or more replies. `input` is the uncached part, `reasoning` a part of `output`; the total is the sum of the first four. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly reasoning: number
}

/** Prices per million tokens, in the currency of their list. */
export interface Rates {
  readonly input: number
  readonly output: number
  /** Default: `input`. */
  readonly cacheRead?: number
  /** Default: `input`. */
  readonly cacheWrite?: number
}

/** Prices of a model. */
export interface Price extends Rates {
  /** Rates for a whole request whose prompt, cached tokens included, exceeds `above` tokens; in rising order. */
  readonly tiers?: readonly PriceTier[]
  /** Yuan per US dollar, if the list is in yuan; absent: it is in dollars. */
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

/** Share of the sent tokens that the provider read from its cache, 0 to 1; null if nothing was counted. */
export function cacheHitRate(usage: Usage): number | null {
  const sent = promptOf(usage)
  return sent === 0 ? null : usage.cacheRead / sent
}

/** Cost of one reply in US dollars; `null` without a known price or usage, never 0 for "unknown". */
export function costOf(usage: Usage, price: Price | undefined): number | null {
  return price !== undefined && isKnown(usage, price) ? charged(usage, price) / (price.yuanPerDollar ?? 1) : null
}

/** Cost of one reply in yuan; undefined if the list is not in yuan, or the usage is unknown. */
export function costInYuan(usage: Usage, price: Price | undefined): number | undefined {
  return price?.yuanPerDollar !== undefined && isKnown(usage, price) ? charged(usage, price) : undefined
}

/** Every request has a prompt, so usage without one is unknown usage. For a free model this makes no difference. */
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

/** Sum of two costs; an unknown one makes the sum unknown. */
export function addCost(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

/** Sum of two costs in yuan; undefined if neither is in yuan. */
export function addYuan(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : a + (b ?? 0)
}
