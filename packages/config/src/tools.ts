import { phrase } from "@gong/spec"
import { alternatives, didYouMean, ok, usage, type Outcome } from "./usage.ts"

export interface ToolWorld {
  /** In catalogue order, which the result keeps. */
  readonly known: readonly string[]
  /** Includes `default`. */
  readonly presets: Readonly<Record<string, readonly string[]>>
}

/**
 * The tools of `--tools`: names and presets define the set, `+name` and `-name` change it; with changes only, they apply to the
 * default.
 */
export function selectTools(list: string, world: ToolWorld): Outcome<readonly string[]> {
  const words = list
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")
  const chosen = new Set<string>(words.every(isChange) ? world.presets["default"] : [])
  // Names first, so that `-bash,default` equals `default,-bash`.
  for (const word of words.toSorted((a, b) => Number(isChange(a)) - Number(isChange(b)))) {
    const name = word.replace(/^[+-]/, "")
    const preset = isChange(word) ? undefined : presetOf(name, world)
    if (preset === undefined && !world.known.includes(name)) return unknownTool(name, world)
    for (const tool of preset ?? [name]) {
      if (word.startsWith("-")) chosen.delete(tool)
      else chosen.add(tool)
    }
  }
  if (chosen.size === 0) return usage(phrase`--tools ${list} leaves no tool. To send none say --no-tools.`)
  return ok(world.known.filter((name) => chosen.has(name)))
}

function isChange(word: string): boolean {
  return word.startsWith("+") || word.startsWith("-")
}

function presetOf(name: string, world: ToolWorld): readonly string[] | undefined {
  return Object.hasOwn(world.presets, name) ? world.presets[name] : undefined
}

function unknownTool(name: string, world: ToolWorld): Outcome<never> {
  const words = [...world.known, ...Object.keys(world.presets)]
  const near = didYouMean(name, words)
  return usage(phrase`there is no tool "${name}".${near === "" ? phrase` Known: ${alternatives(words)}.` : near}`)
}
