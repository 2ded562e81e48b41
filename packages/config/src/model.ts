import { thinkingLevels, type ThinkingLevel, phrase } from "@gong/spec"
import { ok, usage, type Outcome } from "./usage.ts"

/** A parsed `-m`. Without a provider it is an id alone: for `--base-url`, or to look up. */
export interface ModelChoice {
  readonly provider: string | null
  readonly id: string
  readonly thinking: ThinkingLevel | null
}

/** `-m` or the setting `model`: the model and its fallbacks, separated by commas. */
export function modelNames(text: string): readonly string[] {
  return text.split(",").map((name) => name.trim())
}

/**
 * `anthropic/claude-sonnet-4-5:high`, `ollama/qwen3-coder:30b`, `openrouter/meta/llama-4`, `any`.
 * The provider ends at the first slash; the part after the last colon is a thinking level only if it is a valid one.
 */
export function parseModel(text: string): Outcome<ModelChoice> {
  if (text.includes(",")) return usage(phrase`"${text}" contains several models; only one is possible here.`)
  const colon = text.lastIndexOf(":")
  const thinking = thinkingLevels.find((level) => colon >= 0 && level === text.slice(colon + 1)) ?? null
  const name = thinking === null ? text : text.slice(0, colon)
  const slash = name.indexOf("/")
  const provider = slash < 0 ? null : name.slice(0, slash)
  const id = name.slice(slash + 1)
  if (id === "" || provider === "" || /\s/.test(name)) {
    return usage(phrase`"${text}" is not a model. Write PROVIDER/ID, for example anthropic/claude-sonnet-4-5.`)
  }
  return ok({ provider, id, thinking })
}
