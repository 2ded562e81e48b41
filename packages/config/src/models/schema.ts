import { apis, type JsonSchema, type Static, thinkingLevels, thinkingSwitches } from "@gong/spec"

const flag = { type: "boolean" } as const
const text = { type: "string", minLength: 1 } as const
const tokens = { type: "integer", minimum: 1, maximum: 100_000_000 } as const
const money = { type: "number", minimum: 0 } as const
const texts = { type: "object", additionalProperties: { type: "string" } } as const
const anything = { type: "object", additionalProperties: {} } as const

const rates = {
  input: { ...money, description: "for a million tokens that were not cached" },
  output: { ...money, description: "for a million tokens of replies" },
  cacheRead: { ...money, description: "for a million tokens read from the cache; default: as input" },
  cacheWrite: { ...money, description: "for a million tokens written to the cache; default: as input" },
} as const

const price = {
  type: "object",
  additionalProperties: false,
  required: ["input", "output"],
  properties: {
    ...rates,
    tiers: {
      type: "array",
      description: "other rates for requests with more than so many prompt tokens",
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
      description: "the rates are in yuan, and so many make a dollar; absent: the rates are in dollars",
    },
  },
} as const

const compat = {
  type: "object",
  additionalProperties: false,
  description: "where the endpoint departs from the usual form of its wire format",
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
  },
} as const

const model = {
  type: "object",
  additionalProperties: false,
  properties: {
    contextWindow: { ...tokens, description: "tokens; default 128000" },
    maxOutput: { ...tokens, description: "tokens of the longest reply; default 16384" },
    reasoning: { ...flag, description: "it can think" },
    images: { ...flag, description: "it takes images" },
    price,
    deployment: { ...text, description: "what the endpoint calls it, as an Azure deployment" },
    body: { ...anything, description: "fields that every request carries beside Gong's own" },
    compat,
  },
} as const

const provider = {
  type: "object",
  additionalProperties: false,
  properties: {
    name: { ...text, description: "for people" },
    baseUrl: { ...text, pattern: "^https?://", description: "as http://127.0.0.1:8000/v1" },
    api: { enum: apis, description: "its wire format; default openai-completions" },
    keys: {
      type: "array",
      items: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$" },
      description: "environment variables that hold its key, first choice first; keys themselves do not belong here",
    },
    headers: { ...texts, description: "sent with every request" },
    body: { ...anything, description: "fields that every request carries beside Gong's own, as routing" },
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
