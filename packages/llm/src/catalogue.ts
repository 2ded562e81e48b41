import type { Compat, Model, Price } from "@gong/spec"

/** What is known of a model beside who serves it. */
export interface ModelFacts extends Pick<Model, "contextWindow" | "maxOutput" | "reasoning" | "images"> {
  readonly price?: Price
  readonly compat?: Compat
}

/** When the rows below were read. */
export const catalogueDate = "2026-11-21"

/** For an id that is not in the table: a guess that is on the safe side, and no price. */
export const unknownModel: ModelFacts = { contextWindow: 128_000, maxOutput: 16_384, reasoning: false, images: false }

/** Model facts by `provider/id`, or undefined. */
export function lookUp(provider: string, id: string): ModelFacts | undefined {
  return catalogue.get(`${provider}/${id}`)
}

export function knownModels(): readonly string[] {
  return [...catalogue.keys()]
}

function price(input: number, output: number, cacheRead: number, cacheWrite?: number): { readonly price: Price } {
  return { price: { input, output, cacheRead, ...(cacheWrite === undefined ? {} : { cacheWrite }) } }
}

const eyes = { images: true, reasoning: true } as const
const text = { images: false, reasoning: true } as const
const million = { contextWindow: 1_000_000, maxOutput: 128_000 } as const
const wide = { contextWindow: 200_000, maxOutput: 128_000 } as const
const adaptive = { adaptiveThinking: true } as const
/** OpenAI refuses tools beside a reasoning effort in this wire for these models; the responses wire takes both. */
const toolsOnly = { noEffort: true, efforts: ["off", "low", "medium", "high", "xhigh"] } as const

/**
 * Sources: platform.claude.com/docs (models, pricing, migration guides), developers.openai.com/api/docs/models,
 * api-docs.deepseek.com. Prices stand only where the provider lists one price in US dollars for all requests.
 */
const catalogue: ReadonlyMap<string, ModelFacts> = new Map<string, ModelFacts>([
  [
    "anthropic/claude-sonnet-5-5",
    { ...million, ...eyes, ...price(2, 10, 0.1, 2.5), compat: { ...adaptive, thinkingOff: "between_tools" } },
  ],
  ["anthropic/claude-opus-5-5", { ...million, ...eyes, ...price(4, 20, 0.4, 5), compat: adaptive }],
  ["anthropic/claude-haiku-5-5", { ...million, ...eyes, compat: adaptive }],
  ["anthropic/claude-fable-5-1", { ...million, ...eyes, compat: adaptive }],
  [
    "anthropic/claude-opus-5",
    { ...million, ...eyes, ...price(5, 25, 0.5, 6.25), compat: { ...adaptive, thinkingOff: "disabled" } },
  ],
  [
    "anthropic/claude-sonnet-5",
    { ...million, ...eyes, ...price(2, 10, 0.2, 2.5), compat: { ...adaptive, thinkingOff: "disabled" } },
  ],
  ["anthropic/claude-opus-4-8", { ...wide, ...eyes, ...price(5, 25, 0.5, 6.25), compat: adaptive }],
  ["anthropic/claude-opus-4-7", { ...wide, ...eyes, ...price(5, 25, 0.5, 6.25), compat: adaptive }],
  ["anthropic/claude-opus-4-6", { ...wide, ...eyes, ...price(5, 25, 0.5, 6.25), compat: adaptive }],
  [
    "anthropic/claude-sonnet-4-6",
    { contextWindow: 200_000, maxOutput: 64_000, ...eyes, ...price(3, 15, 0.3, 3.75), compat: adaptive },
  ],
  ["anthropic/claude-opus-4-5", { contextWindow: 200_000, maxOutput: 64_000, ...eyes, ...price(5, 25, 0.5, 6.25) }],
  ["anthropic/claude-opus-4-1", { contextWindow: 200_000, maxOutput: 32_000, ...eyes, ...price(15, 75, 1.5, 18.75) }],
  ["anthropic/claude-sonnet-4-5", { contextWindow: 200_000, maxOutput: 64_000, ...eyes, ...price(3, 15, 0.3, 3.75) }],
  ["anthropic/claude-haiku-4-5", { contextWindow: 200_000, maxOutput: 64_000, ...eyes, ...price(1, 5, 0.1, 1.25) }],
  [
    "openai/gpt-5.1",
    {
      contextWindow: 400_000,
      maxOutput: 128_000,
      ...eyes,
      ...price(1.25, 10, 0.125),
      compat: { efforts: ["off", "low", "medium", "high"] },
    },
  ],
  [
    "openai/gpt-5",
    {
      contextWindow: 400_000,
      maxOutput: 128_000,
      ...eyes,
      ...price(1.25, 10, 0.125),
      compat: { efforts: ["minimal", "low", "medium", "high"] },
    },
  ],
  [
    "openai/gpt-5-mini",
    {
      contextWindow: 400_000,
      maxOutput: 128_000,
      ...eyes,
      ...price(0.25, 2, 0.025),
      compat: { efforts: ["minimal", "low", "medium", "high"] },
    },
  ],
  ["openai/gpt-5.6-sol", { contextWindow: 1_050_000, maxOutput: 128_000, ...eyes, compat: toolsOnly }],
  ["openai/gpt-5.6-terra", { contextWindow: 1_050_000, maxOutput: 128_000, ...eyes, compat: toolsOnly }],
  ["openai/gpt-5.6-luna", { contextWindow: 400_000, maxOutput: 128_000, ...eyes, compat: toolsOnly }],
  [
    "openai/gpt-4.1",
    { contextWindow: 1_047_576, maxOutput: 32_768, images: true, reasoning: false, ...price(2, 8, 0.5) },
  ],
  [
    "openai/gpt-4.1-mini",
    { contextWindow: 1_047_576, maxOutput: 32_768, images: true, reasoning: false, ...price(0.4, 1.6, 0.1) },
  ],
  ["google/gemini-2.5-pro", { contextWindow: 1_048_576, maxOutput: 65_536, ...eyes }],
  ["openrouter/anthropic/claude-sonnet-5.5", { ...million, ...eyes }],
  ["deepseek/deepseek-v4-pro", { contextWindow: 1_000_000, maxOutput: 384_000, ...text }],
  ["deepseek/deepseek-flash", { contextWindow: 1_000_000, maxOutput: 384_000, ...eyes }],
  ["moonshot/kimi-k2.6", { contextWindow: 256_000, maxOutput: 32_768, ...eyes }],
  ["zai/glm-5.2", { contextWindow: 1_000_000, maxOutput: 128_000, ...text }],
  ["qwen/qwen3.6-plus", { contextWindow: 1_000_000, maxOutput: 65_536, ...eyes }],
  ["xai/grok-4.5", { contextWindow: 256_000, maxOutput: 64_000, ...eyes }],
  ["groq/openai/gpt-oss-120b", { contextWindow: 131_072, maxOutput: 65_536, ...text }],
  ["mistral/devstral-latest", { contextWindow: 256_000, maxOutput: 32_768, images: false, reasoning: false }],
])
