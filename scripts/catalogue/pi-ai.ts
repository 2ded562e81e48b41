import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Compat, Price, Rates, ThinkingLevel } from "../../packages/spec/src/index.ts"
import type { Facts, ModelFacts } from "../../packages/llm/src/catalogue.ts"
import { minWindow } from "../../packages/llm/src/models-dev.ts"
import type { ProviderRow } from "../../packages/llm/src/provider-row.ts"

/** The catalogue in the npm package @earendil-works/pi-ai (MIT), itself made from models.dev and the providers' own lists. */
export function readPiAi(folder: string, rows: readonly ProviderRow[]): ReadonlyMap<string, Facts> {
  const found = new Map<string, Facts>()
  for (const row of rows) {
    const file = join(folder, "dist/providers/data", `${fileOf(row.id)}.json`)
    if (!existsSync(file)) continue
    const apis = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, Readonly<Record<string, PiModel>>>>
    const models = Object.values(apis)
      .flatMap((group) => Object.values(group))
      .filter((model) => model.type === "chat" && model.contextWindow >= minWindow && model.maxTokens > 0)
      .filter((model) => row.family?.test(model.id) ?? true)
    const facts = models.map((model) => [model.id, factsOf(model, row)] as const)
    found.set(row.id, Object.fromEntries(facts.toSorted(([a], [b]) => (a < b ? -1 : 1))))
  }
  return found
}

interface PiModel {
  readonly id: string
  readonly type: string
  readonly reasoning: boolean
  readonly input: readonly string[]
  readonly cost: Cost & { readonly tiers?: readonly (Cost & { readonly inputTokensAbove: number })[] }
  readonly contextWindow: number
  readonly maxTokens: number
  readonly thinkingLevelMap?: Readonly<Record<string, string | null>>
  readonly compat?: {
    readonly forceAdaptiveThinking?: boolean
    readonly thinkingFormat?: string
    readonly supportsReasoningEffort?: boolean
  }
}

interface Cost {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

const fileNames: Readonly<Record<string, string>> = {
  moonshot: "moonshotai",
  "moonshot-cn": "moonshotai-cn",
  vercel: "vercel-ai-gateway",
  // The same models at the same prices; the coding plans are charged otherwise.
  "zhipu-coding": "zai-coding-cn",
  "zai-coding": "zai",
  "minimax-token-plan": "minimax",
  "minimax-token-plan-cn": "minimax-cn",
  qwen: "qwen-token-plan",
  "qwen-cn": "qwen-token-plan-cn",
}

/** Providers that are paid by the month: a price per token would be made up. */
const plans = new Set(
  "zhipu-coding zai-coding kimi-coding minimax-token-plan minimax-token-plan-cn qwen-token-plan qwen-token-plan-cn".split(
    " ",
  ),
)

function fileOf(id: string): string {
  return fileNames[id] ?? id
}

function factsOf(model: PiModel, row: ProviderRow): ModelFacts {
  const compat = compatOf(model, row)
  // Its prices in yuan are listed in dollars, at an unstated rate.
  const price = row.currency === "CNY" || plans.has(row.id) ? null : priceOf(model.cost)
  return {
    contextWindow: model.contextWindow,
    // A limit of the window's width would leave nothing for the prompt: such servers count both together.
    maxOutput: model.maxTokens > model.contextWindow / 2 ? Math.floor(model.contextWindow / 4) : model.maxTokens,
    reasoning: model.reasoning,
    images: model.input.includes("image"),
    ...(price ? { price } : {}),
    ...(compat ? { compat } : {}),
  }
}

function compatOf({ compat, thinkingLevelMap: map, reasoning }: PiModel, row: ProviderRow): Compat | null {
  if (!reasoning) return null
  const own: Compat = {
    ...(compat?.forceAdaptiveThinking && row.api === "anthropic-messages" ? { adaptiveThinking: true } : {}),
    // Models with effort levels; the others get a budget.
    ...(map && row.api === "google-generative-ai" ? { adaptiveThinking: true, efforts: effortsOf(map, row) } : {}),
    ...(map && row.api === "openai-completions" ? { efforts: sayable(effortsOf(map, row), compat, row) } : {}),
    ...(compat?.thinkingFormat === "openai" && row.compat?.thinkingSwitch ? { thinkingSwitch: "effort" } : {}),
  }
  return Object.keys(own).length > 0 ? own : null
}

/** If thinking can only be switched on and off, no effort is sent. */
function sayable(
  efforts: readonly ThinkingLevel[],
  compat: PiModel["compat"],
  row: ProviderRow,
): readonly ThinkingLevel[] {
  const switched = row.compat?.thinkingSwitch !== undefined && compat?.supportsReasoningEffort === false
  return switched ? efforts.filter((level) => level === "off") : efforts
}

const levels: readonly ThinkingLevel[] = ["minimal", "low", "medium", "high", "xhigh"]

/** Null forbids a level; `xhigh` must be listed; `off` is sent as an effort, or by the switch of its provider. */
function effortsOf(map: Readonly<Record<string, string | null>>, row: ProviderRow): readonly ThinkingLevel[] {
  const named = levels.filter((level) => (level === "xhigh" ? map[level] === "xhigh" : map[level] !== null))
  const off = row.compat?.thinkingSwitch === undefined ? typeof map["off"] === "string" : map["off"] !== null
  return [...(off ? (["off"] as const) : []), ...named]
}

function priceOf(cost: PiModel["cost"]): Price | null {
  if (cost.input === 0 && cost.output === 0) return null
  const tiers = (cost.tiers ?? []).map((tier) => ({ above: tier.inputTokensAbove, ...ratesOf(tier) }))
  return { ...ratesOf(cost), ...(tiers.length > 0 ? { tiers } : {}) }
}

function ratesOf({ input, output, cacheRead, cacheWrite }: Cost): Rates {
  return { input, output, ...(cacheRead > 0 ? { cacheRead } : {}), ...(cacheWrite > 0 ? { cacheWrite } : {}) }
}
