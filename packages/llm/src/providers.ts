import type { Api, Compat } from "@gong/spec"

/** Who serves models: one row each. */
export interface ProviderRow {
  readonly id: string
  /** For people. */
  readonly name: string
  readonly api: Api
  /** No slash at its end; the wire adds its path. */
  readonly baseUrl: string
  /** Environment variables that hold its key, first choice first; none: it wants no key. */
  readonly keys: readonly string[]
  /** Those of `keys` that go as `Authorization: Bearer` where the wire has its own header. */
  readonly bearerKeys?: readonly string[]
  /** How its keys begin, where that tells them apart from others. */
  readonly keyPrefix?: string
  /** Null: which models there are is known only when it is asked. */
  readonly defaultModel: string | null
  /** What ids of its models look like; absent: anything, it serves models of others. */
  readonly family?: RegExp
  readonly compat?: Compat
}

/** In the order in which a default is chosen when several have keys (interface 6.4). Base URLs and variables as the providers document them, November 2026. */
export const providers: readonly ProviderRow[] = [
  {
    id: "anthropic",
    name: "Anthropic",
    api: "anthropic-messages",
    baseUrl: "https://api.anthropic.com",
    keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    bearerKeys: ["ANTHROPIC_AUTH_TOKEN"],
    keyPrefix: "sk-ant-",
    defaultModel: "claude-sonnet-5-5",
    family: /^claude-/,
  },
  {
    id: "openai",
    name: "OpenAI",
    api: "openai-completions",
    baseUrl: "https://api.openai.com/v1",
    keys: ["OPENAI_API_KEY"],
    keyPrefix: "sk-proj-",
    defaultModel: "gpt-5.1",
    family: /^(gpt-|o\d|chatgpt-|codex-)/,
    compat: { systemRole: "developer", maxTokensField: "max_completion_tokens", cacheKey: true },
  },
  {
    id: "google",
    name: "Google Gemini",
    api: "google-generative-ai",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    keyPrefix: "AIza",
    defaultModel: "gemini-2.5-pro",
    family: /^gem(ini|ma)-/,
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    api: "openai-completions",
    baseUrl: "https://openrouter.ai/api/v1",
    keys: ["OPENROUTER_API_KEY"],
    keyPrefix: "sk-or-",
    defaultModel: "anthropic/claude-sonnet-5.5",
  },
  {
    id: "deepseek",
    name: "DeepSeek",
    api: "openai-completions",
    baseUrl: "https://api.deepseek.com",
    keys: ["DEEPSEEK_API_KEY"],
    defaultModel: "deepseek-v4-pro",
    family: /^deepseek-/,
    compat: { maxTokensField: "max_tokens", efforts: ["high"] },
  },
  {
    id: "moonshot",
    name: "Moonshot AI",
    api: "openai-completions",
    baseUrl: "https://api.moonshot.ai/v1",
    keys: ["MOONSHOT_API_KEY"],
    defaultModel: "kimi-k2.6",
    family: /^(kimi|moonshot)-/,
    compat: { maxTokensField: "max_tokens", efforts: [] },
  },
  {
    id: "zai",
    name: "Z.ai",
    api: "openai-completions",
    baseUrl: "https://api.z.ai/api/paas/v4",
    keys: ["ZAI_API_KEY"],
    defaultModel: "glm-5.2",
    family: /^glm-/,
    compat: { maxTokensField: "max_tokens", efforts: [], silentOverflow: true },
  },
  {
    id: "qwen",
    name: "Qwen (international)",
    api: "openai-completions",
    baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    keys: ["DASHSCOPE_API_KEY"],
    defaultModel: "qwen3.6-plus",
    family: /^(qwen|qwq|qvq)/,
    compat: { efforts: [] },
  },
  {
    id: "xai",
    name: "xAI",
    api: "openai-completions",
    baseUrl: "https://api.x.ai/v1",
    keys: ["XAI_API_KEY"],
    keyPrefix: "xai-",
    defaultModel: "grok-4.5",
    family: /^grok-/,
    compat: { addReasoningTokens: true },
  },
  {
    id: "groq",
    name: "Groq",
    api: "openai-completions",
    baseUrl: "https://api.groq.com/openai/v1",
    keys: ["GROQ_API_KEY"],
    keyPrefix: "gsk_",
    defaultModel: "openai/gpt-oss-120b",
  },
  {
    id: "mistral",
    name: "Mistral",
    api: "openai-completions",
    baseUrl: "https://api.mistral.ai/v1",
    keys: ["MISTRAL_API_KEY"],
    defaultModel: "devstral-latest",
    compat: { noStreamUsage: true, shortIds: true, efforts: [] },
  },
  {
    id: "ollama",
    name: "Ollama on this machine",
    api: "openai-completions",
    baseUrl: "http://127.0.0.1:11434/v1",
    keys: [],
    defaultModel: null,
    compat: { efforts: [] },
  },
]

export function findProvider(id: string): ProviderRow | undefined {
  return providers.find((row) => row.id === id)
}

/** Whose key this is, where its beginning tells; the longest beginning counts. */
export function recognizeKey(key: string): ProviderRow | undefined {
  const fits = providers.filter((row) => row.keyPrefix !== undefined && key.startsWith(row.keyPrefix))
  return fits.toSorted((a, b) => (b.keyPrefix?.length ?? 0) - (a.keyPrefix?.length ?? 0))[0]
}

/** The variables of each provider, as credentials look them up: `{anthropic: ["ANTHROPIC_API_KEY", ...]}`. */
export function keyVariables(): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(providers.map((row) => [row.id, row.keys]))
}
