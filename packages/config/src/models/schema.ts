import { apis, callStyles, type JsonSchema, type Static, thinkingLevels, thinkingSwitches } from "@gong/spec"

const flag = { type: "boolean" } as const
const text = { type: "string", minLength: 1 } as const
const tokens = { type: "integer", minimum: 1, maximum: 100_000_000 } as const
const money = { type: "number", minimum: 0 } as const
const texts = { type: "object", additionalProperties: { type: "string" } } as const
const anything = { type: "object", additionalProperties: {} } as const

const rates = {
  input: { ...money, description: "per million uncached tokens of input" },
  output: { ...money, description: "per million tokens of replies" },
  cacheRead: { ...money, description: "per million tokens read from the cache; default: like input" },
  cacheWrite: { ...money, description: "per million tokens written to the cache; default: like input" },
} as const

const price = {
  type: "object",
  additionalProperties: false,
  required: ["input", "output"],
  properties: {
    ...rates,
    tiers: {
      type: "array",
      description: "rates for requests with more prompt tokens than `above`",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["above", "input", "output"],
        properties: { above: tokens, ...rates },
      },
    },
    yuanPerDollar: {
      type: "number",
      exclusiveMinimum: 0,
      description: "exchange rate of rates in yuan; absent: the rates are in dollars",
    },
  },
} as const

const compat = {
  type: "object",
  additionalProperties: false,
  description: "deviations of the endpoint from its wire format",
  properties: {
    systemRole: { enum: ["system", "developer"] },
    maxTokensField: { enum: ["max_tokens", "max_completion_tokens"] },
    addReasoningTokens: flag,
    noStreamUsage: flag,
    efforts: { type: "array", items: { enum: thinkingLevels } },
    thinkingSwitch: { enum: thinkingSwitches },
    thinkingWith: { type: "object", additionalProperties: { type: ["string", "boolean"] } },
    thoughtFiller: { type: "string" },
    toolStream: flag,
    noEffort: flag,
    adaptiveThinking: flag,
    thinkingOff: { enum: ["disabled", "between_tools"] },
    shortIds: flag,
    callSeals: { enum: ["extra_content", "reasoning_details"] },
    cacheKey: flag,
    silentOverflow: flag,
    calls: { enum: callStyles, description: "how tools are called; default: native, for local and own endpoints text" },
  },
} as const

const model = {
  type: "object",
  additionalProperties: false,
  properties: {
    contextWindow: { ...tokens, description: "tokens; default 128000" },
    maxOutput: { ...tokens, description: "tokens of the longest reply; default 16384" },
    reasoning: { ...flag, description: "the model can think" },
    images: { ...flag, description: "the model accepts images" },
    price,
    deployment: { ...text, description: "name at the endpoint, for example an Azure deployment" },
    body: { ...anything, description: "additional fields of every request" },
    compat,
  },
} as const

const provider = {
  type: "object",
  additionalProperties: false,
  properties: {
    name: { ...text, description: "display name" },
    baseUrl: { ...text, pattern: "^https?://", description: "for example http://127.0.0.1:8000/v1" },
    api: { enum: apis, description: "wire format; default openai-completions" },
    keys: {
      type: "array",
      items: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$" },
      description: "environment variables with its key, in order of precedence; never the key itself",
    },
    headers: { ...texts, description: "sent with every request" },
    body: { ...anything, description: "additional fields of every request, for example for routing" },
    defaultModel: text,
    compat,
    models: { type: "object", additionalProperties: model },
  },
} as const

/** The schema of models.json, for validation and for editors (docs/models.schema.json). */
export const modelsSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    $schema: { type: "string" },
    providers: { type: "object", additionalProperties: provider },
  },
} as const satisfies JsonSchema

export type ModelsDocument = Static<typeof modelsSchema>
export type OwnProvider = NonNullable<ModelsDocument["providers"]>[string]
