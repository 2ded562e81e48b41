import { readFileSync } from "node:fs"
import { parseArgs, type ParseArgsOptionsConfig } from "node:util"

/** The generator has 32 bits of state, so a larger seed would equal another one. */
const maxSeed = 2 ** 32 - 1

/** Seeds that ever failed, by npm script. Code changes may change their meaning, but trying them is cheap. */
const failedFile = new URL("../failed-seeds.json", import.meta.url)

export interface SeedOptions<O extends ParseArgsOptionsConfig> {
  /** The npm script. */
  readonly name: string
  /** Default number of seeds. */
  readonly count: number
  /** Its own options, in the form of `parseArgs`. */
  readonly more?: O
  /** Whether it takes positional arguments. */
  readonly takesWords?: boolean
  readonly words?: readonly string[]
}

export interface Seeds {
  readonly from: number
  readonly count: number
  /** `--count` was given. */
  readonly counted: boolean
  /** In order; with `--failed` the failed seeds. */
  readonly seeds: readonly number[]
}

/**
 * The common options of seeded programs: `--from SEED` (default 1) `--count N`, or `--failed`. Throws with one line for invalid
 * options.
 */
export function seedOptions<const O extends ParseArgsOptionsConfig>({
  name,
  count: usual,
  more,
  takesWords = false,
  words,
}: SeedOptions<O>) {
  const options = { from: { type: "string" }, count: { type: "string" }, failed: { type: "boolean" } } as const
  const { values, positionals } = parseArgs({
    options: { ...options, ...(more as O) },
    allowPositionals: takesWords,
    ...(words === undefined ? {} : { args: [...words] }),
  })
  const given = values as { readonly from?: string; readonly count?: string; readonly failed?: boolean }
  const from = numberOf("--from", given.from, 1, 0)
  const count = numberOf("--count", given.count, usual, 1)
  if (from + count - 1 > maxSeed) throw new Error(`Seeds go up to ${maxSeed}.`)
  const seeds = given.failed === true ? failedSeeds(name) : Array.from({ length: count }, (_, index) => from + index)
  const of: Seeds = { from, count, counted: given.count !== undefined, seeds }
  return { ...of, values, positionals }
}

/** Seeds of this npm script that ever failed. */
export function failedSeeds(name: string): readonly number[] {
  const known = JSON.parse(readFileSync(failedFile, "utf8")) as Readonly<Record<string, readonly number[]>>
  return known[name] ?? []
}

function numberOf(option: string, text: string | undefined, usual: number, least: number): number {
  if (text === undefined) return usual
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= maxSeed) return value
  throw new Error(`${option} takes a whole number from ${least} to ${maxSeed}, not "${text}".`)
}
