import { phrase } from "@gong/spec"
import { alternatives, didYouMean, ok, usage, type Outcome } from "./usage.ts"

export interface ToolChoices {
  /** In catalogue order, which the result keeps. */
  readonly known: readonly string[]
  /** Includes `default`. */
  readonly presets: Readonly<Record<string, readonly string[]>>
}

/**
 * The tools of `--tools`: names and presets define the set, `+name` and `-name` change it; with changes only, they apply to the
 * default.
 */
export function selectTools(list: string, choices: ToolChoices): Outcome<readonly string[]> {
  const words = list
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")
  const chosen = new Set<string>(words.every(isChange) ? choices.presets["default"] : [])
  // Names first, so that `-bash,default` equals `default,-bash`.
  for (const word of words.toSorted((a, b) => Number(isChange(a)) - Number(isChange(b)))) {
    const name = word.replace(/^[+-]/, "")
    const preset = isChange(word) ? undefined : presetOf(name, choices)
    if (preset === undefined && !choices.known.includes(name)) return unknownTool(name, choices)
    for (const tool of preset ?? [name]) {
      if (word.startsWith("-")) chosen.delete(tool)
      else chosen.add(tool)
    }
  }
  if (chosen.size === 0) return usage(phrase`--tools ${list} selects no tool. Use --no-tools to send none.`)
  return ok(choices.known.filter((name) => chosen.has(name)))
}

function isChange(word: string): boolean {
  return word.startsWith("+") || word.startsWith("-")
}

function presetOf(name: string, choices: ToolChoices): readonly string[] | undefined {
  return Object.hasOwn(choices.presets, name) ? choices.presets[name] : undefined
}

function unknownTool(name: string, choices: ToolChoices): Outcome<never> {
  const words = [...choices.known, ...Object.keys(choices.presets)]
  const near = didYouMean(name, words)
  return usage(phrase`there is no tool "${name}".${near === "" ? phrase` Available: ${alternatives(words)}.` : near}`)
}
