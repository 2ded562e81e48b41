import type { Rates } from "../../packages/spec/src/index.ts"
import type { ModelFacts } from "../../packages/llm/src/catalogue.ts"

/**
 * Yuan to a dollar, to show prices in yuan in dollars: the rate at which models.dev converted such lists
 * in October 2026 (6.69); DeepSeek, which publishes both lists, has 6.82.
 */
const yuanPerDollar = 6.7

function yuan(input: number, output: number, cacheRead: number, more: object = {}): Pick<ModelFacts, "price"> {
  return { price: { input, output, cacheRead, yuanPerDollar, ...more } }
}

function dollars(rates: Rates & { readonly tiers?: readonly (Rates & { readonly above: number })[] }) {
  return { price: rates }
}

const adaptive = { adaptiveThinking: true } as const
/** OpenAI refuses tools with a reasoning effort over openai-completions for these; openai-responses accepts both. */
const toolsOnly = { noEffort: true, efforts: ["off", "low", "medium", "high", "xhigh"] } as const
const early = ["minimal", "low", "medium", "high"] as const
const glm = { contextWindow: 1_000_000, maxOutput: 131_072, reasoning: true } as const
const qwen = { contextWindow: 1_000_000, maxOutput: 65_536, reasoning: true, images: true } as const
const ark = { contextWindow: 256_000, maxOutput: 32_768, reasoning: true, images: true } as const
/** Thinking with its field for earlier thoughts, by the page on this model; its siblings have none. */
const kimiKeeps = { thinkingWith: { keep: "all" } } as const
/** Of SiliconFlow's parameters: only this model and a few others take an effort. */
const flash = {
  contextWindow: 131_072,
  maxOutput: 16_384,
  reasoning: true,
  images: false,
  compat: { efforts: ["off", "high"] },
} as const
/** Thinking cannot be switched off. */
const unstopped = { compat: { efforts: [] } } as const
/** The models in the plan's documents, with the data of these models elsewhere. */
const codingPlan = {
  "qwen3.7-plus": qwen,
  "qwen3.5-plus": qwen,
  "qwen3-coder-plus": { contextWindow: 1_000_000, maxOutput: 65_536, reasoning: false, images: false },
  "qwen3-coder-next": { contextWindow: 262_144, maxOutput: 65_536, reasoning: false, images: false },
  "glm-5": { contextWindow: 202_752, maxOutput: 16_384, reasoning: true, images: false },
  "kimi-k2.5": { contextWindow: 262_144, maxOutput: 32_768, reasoning: true, images: true },
  "MiniMax-M2.5": {
    contextWindow: 196_608,
    maxOutput: 24_576,
    reasoning: true,
    images: false,
    compat: { efforts: [] },
  },
} as const

/**
 * Data that the catalogue's source lacks, or states differently from the provider, by provider and model. From
 * platform.claude.com/docs, developers.openai.com/api/docs/models, ai.google.dev/gemini-api/docs/thinking, api-docs.deepseek.com, alibabacloud.com/help/model-studio,
 * open.bigmodel.cn/pricing, docs.siliconflow.cn, modelscope.cn/docs, volcengine.com/docs/82379, cloud.tencent.com/document/product/1729,
 * cloud.baidu.com/doc/qianfan, platform.stepfun.com/docs, mimo.mi.com/docs, platform.kimi.ai/docs; November 2026. The lists in
 * yuan of moonshot-cn and minimax-cn are models.dev's figures in dollars turned back at the rate above's source.
 */
export const own: Readonly<Record<string, Readonly<Record<string, Partial<ModelFacts>>>>> = {
  anthropic: {
    "claude-sonnet-5-5": { compat: { ...adaptive, thinkingOff: "between_tools" } },
    "claude-opus-5": { compat: { ...adaptive, thinkingOff: "disabled" } },
    "claude-sonnet-5": { compat: { ...adaptive, thinkingOff: "disabled" } },
    // Retired from the source; still asked for by its name.
    "claude-opus-4-1": {
      contextWindow: 200_000,
      maxOutput: 32_000,
      images: true,
      reasoning: true,
      price: { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
    },
  },
  openai: {
    "gpt-5": { compat: { efforts: early } },
    "gpt-5-mini": { compat: { efforts: early } },
    "gpt-5.6-sol": { contextWindow: 1_050_000, compat: toolsOnly },
    "gpt-5.6-terra": { contextWindow: 1_050_000, compat: toolsOnly },
    "gpt-5.6-luna": { contextWindow: 400_000, compat: toolsOnly },
  },
  google: {
    "gemini-2.5-flash": { compat: { thinkingOff: "disabled" } },
    "gemini-2.5-flash-lite": { compat: { thinkingOff: "disabled" } },
  },
  // Peak prices: outside Beijing's office hours half of it is charged.
  deepseek: {
    "deepseek-v4-pro": { price: { input: 1.32, output: 3.96, cacheRead: 0.044 } },
    "deepseek-flash": { price: { input: 0.3, output: 1.2, cacheRead: 0.006 } },
  },
  // The default in its documents; the source has the width of the window.
  moonshot: { "kimi-k2.6": { maxOutput: 32_768, compat: kimiKeeps } },
  qwen: {
    "qwen3.6-plus": dollars({
      input: 0.5,
      output: 3,
      cacheRead: 0.05,
      cacheWrite: 0.625,
      tiers: [{ above: 256_000, input: 2, output: 6, cacheRead: 0.2, cacheWrite: 2.5 }],
    }),
    "qwen3.7-max": dollars({ input: 2.5, output: 7.5, cacheRead: 0.5, cacheWrite: 3.125 }),
    "qwen3.8-max": dollars({ input: 2, output: 6, cacheRead: 0.25, cacheWrite: 2.5 }),
    "qwen3.8-flash": dollars({ input: 0.15, output: 0.47, cacheRead: 0.016, cacheWrite: 0.2 }),
  },
  "qwen-cn": { "qwen3.6-plus": qwen },
  zhipu: {
    "glm-5.3": { ...glm, images: false, ...yuan(8, 28, 2), compat: { efforts: ["low", "high"] } },
    "glm-5.3-flash": { ...glm, images: true, ...yuan(0.8, 2.8, 0.23), compat: { efforts: ["low", "high"] } },
  },
  "moonshot-cn": {
    "kimi-k2.6": { maxOutput: 32_768, ...yuan(6.5, 27, 1.1), compat: kimiKeeps },
    "kimi-k2.7-code": yuan(6.5, 27, 1.3),
    "kimi-k2.7-code-highspeed": yuan(13, 54, 2.6),
    "kimi-k3.1-pro": yuan(13, 68, 1.3),
    "kimi-k3.1-pro-highspeed": yuan(26, 136, 1.3),
  },
  "minimax-cn": {
    "MiniMax-M2.7": yuan(2.1, 8.4, 0.42, { cacheWrite: 2.625 }),
    "MiniMax-M2.7-highspeed": yuan(4.2, 16.8, 0.42, { cacheWrite: 2.625 }),
    "MiniMax-M3": yuan(2.1, 8.4, 0.42, { tiers: [{ above: 512_000, input: 4.2, output: 16.8, cacheRead: 0.84 }] }),
    "MiniMax-M3.1-Flash": { ...yuan(1, 4, 0.1), ...unstopped },
  },
  minimax: { "MiniMax-M3.1-Flash": unstopped },
  "minimax-token-plan": { "MiniMax-M3.1-Flash": unstopped },
  "minimax-token-plan-cn": { "MiniMax-M3.1-Flash": unstopped },
  volcengine: {
    "doubao-seed-2-1-pro-260628": { contextWindow: 262_144, maxOutput: 32_768, reasoning: true, images: true },
  },
  "volcengine-coding": {
    // Whichever the user chose in the console.
    "ark-code-latest": { ...ark, maxOutput: 16_384, reasoning: false, images: false },
    "doubao-seed-2.1-pro": { ...ark, compat: { efforts: ["off", "low", "high"] } },
    "glm-5.3": { ...glm, images: false, compat: { efforts: ["low", "high"] } },
  },
  "qwen-coding": codingPlan,
  "qwen-coding-cn": codingPlan,
  siliconflow: { "deepseek-ai/DeepSeek-V4-Flash": flash },
  "siliconflow-intl": { "deepseek-ai/DeepSeek-V4-Flash": flash },
  modelscope: {
    "Qwen/Qwen3-Coder-30B-A3B-Instruct": {
      contextWindow: 262_144,
      maxOutput: 32_768,
      reasoning: false,
      images: false,
    },
  },
  hunyuan: {
    "hunyuan-2.0-thinking-20251109": { contextWindow: 128_000, maxOutput: 65_536, reasoning: true, images: false },
  },
  qianfan: {
    "ernie-5.0-thinking-latest": { contextWindow: 128_000, maxOutput: 65_536, reasoning: true, images: true },
  },
  stepfun: {
    "step-3.7-flash": { contextWindow: 262_144, maxOutput: 65_536, reasoning: true, images: true },
  },
  "stepfun-intl": {
    "step-3.7-flash": { contextWindow: 262_144, maxOutput: 65_536, reasoning: true, images: true },
  },
  xiaomi: {
    "mimo-v2.6-pro": { contextWindow: 1_048_576, maxOutput: 131_072, reasoning: true, images: true },
  },
}
