import type { Model } from "@gong/spec"
import source from "./catalogue/source.json" with { type: "json" }

/** Facts about a model, independent of its provider. */
export type ModelFacts = Pick<
  Model,
  "contextWindow" | "maxOutput" | "reasoning" | "images" | "price" | "compat" | "wireId" | "body"
>

/** By model id. */
export type Facts = Readonly<Record<string, ModelFacts>>

/** Source and date of the shipped catalogue (updated by `npm run catalogue`). */
export const catalogueSource: { readonly source: string; readonly date: string } = source

/** For an id outside the catalogue: conservative limits, no price. */
export const unknownModel: ModelFacts = { contextWindow: 128_000, maxOutput: 16_384, reasoning: false, images: false }

/** The shipped facts of one provider's models; empty for none. One file per provider, so a run loads only its own. */
export async function snapshotOf(provider: string): Promise<Facts> {
  const load = Object.hasOwn(files, provider) ? files[provider] : undefined
  // The generator script guarantees this shape.
  return load === undefined ? {} : ((await load()).default.models as Facts)
}

type File = () => Promise<{ readonly default: { readonly models: object } }>

const files: Readonly<Record<string, File>> = {
  anthropic: () => import("./catalogue/anthropic.json", { with: { type: "json" } }),
  azure: () => import("./catalogue/azure.json", { with: { type: "json" } }),
  cerebras: () => import("./catalogue/cerebras.json", { with: { type: "json" } }),
  deepseek: () => import("./catalogue/deepseek.json", { with: { type: "json" } }),
  fireworks: () => import("./catalogue/fireworks.json", { with: { type: "json" } }),
  google: () => import("./catalogue/google.json", { with: { type: "json" } }),
  groq: () => import("./catalogue/groq.json", { with: { type: "json" } }),
  huggingface: () => import("./catalogue/huggingface.json", { with: { type: "json" } }),
  hunyuan: () => import("./catalogue/hunyuan.json", { with: { type: "json" } }),
  "kimi-coding": () => import("./catalogue/kimi-coding.json", { with: { type: "json" } }),
  minimax: () => import("./catalogue/minimax.json", { with: { type: "json" } }),
  "minimax-cn": () => import("./catalogue/minimax-cn.json", { with: { type: "json" } }),
  "minimax-token-plan": () => import("./catalogue/minimax-token-plan.json", { with: { type: "json" } }),
  "minimax-token-plan-cn": () => import("./catalogue/minimax-token-plan-cn.json", { with: { type: "json" } }),
  mistral: () => import("./catalogue/mistral.json", { with: { type: "json" } }),
  modelscope: () => import("./catalogue/modelscope.json", { with: { type: "json" } }),
  moonshot: () => import("./catalogue/moonshot.json", { with: { type: "json" } }),
  "moonshot-cn": () => import("./catalogue/moonshot-cn.json", { with: { type: "json" } }),
  openai: () => import("./catalogue/openai.json", { with: { type: "json" } }),
  openrouter: () => import("./catalogue/openrouter.json", { with: { type: "json" } }),
  qianfan: () => import("./catalogue/qianfan.json", { with: { type: "json" } }),
  qwen: () => import("./catalogue/qwen.json", { with: { type: "json" } }),
  "qwen-cn": () => import("./catalogue/qwen-cn.json", { with: { type: "json" } }),
  "qwen-coding": () => import("./catalogue/qwen-coding.json", { with: { type: "json" } }),
  "qwen-coding-cn": () => import("./catalogue/qwen-coding-cn.json", { with: { type: "json" } }),
  "qwen-token-plan": () => import("./catalogue/qwen-token-plan.json", { with: { type: "json" } }),
  "qwen-token-plan-cn": () => import("./catalogue/qwen-token-plan-cn.json", { with: { type: "json" } }),
  siliconflow: () => import("./catalogue/siliconflow.json", { with: { type: "json" } }),
  "siliconflow-intl": () => import("./catalogue/siliconflow-intl.json", { with: { type: "json" } }),
  stepfun: () => import("./catalogue/stepfun.json", { with: { type: "json" } }),
  "stepfun-intl": () => import("./catalogue/stepfun-intl.json", { with: { type: "json" } }),
  together: () => import("./catalogue/together.json", { with: { type: "json" } }),
  vercel: () => import("./catalogue/vercel.json", { with: { type: "json" } }),
  volcengine: () => import("./catalogue/volcengine.json", { with: { type: "json" } }),
  "volcengine-coding": () => import("./catalogue/volcengine-coding.json", { with: { type: "json" } }),
  xai: () => import("./catalogue/xai.json", { with: { type: "json" } }),
  xiaomi: () => import("./catalogue/xiaomi.json", { with: { type: "json" } }),
  zai: () => import("./catalogue/zai.json", { with: { type: "json" } }),
  "zai-coding": () => import("./catalogue/zai-coding.json", { with: { type: "json" } }),
  zhipu: () => import("./catalogue/zhipu.json", { with: { type: "json" } }),
  "zhipu-coding": () => import("./catalogue/zhipu-coding.json", { with: { type: "json" } }),
}
