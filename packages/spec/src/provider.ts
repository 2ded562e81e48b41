import type { PartialUpdate, Reply } from "./step.ts"
import type { Message } from "./message.ts"
import type { ThinkingLevel } from "./thinking.ts"
import type { ToolSpec } from "./tool.ts"
import type { Price } from "./usage.ts"

/** The wire formats. */
export const apis = ["openai-completions", "openai-responses", "anthropic-messages", "google-generative-ai"] as const
export type Api = (typeof apis)[number]

/** How a model is asked: over a wire format, or by an extension, in Gong's own. */
export type ModelApi = Api | "extension"

export interface Model {
  /** Who serves it, e.g. `anthropic`. */
  readonly provider: string
  readonly id: string
  /** What the endpoint calls it, where that is not `id`: the name of a deployment, say. */
  readonly wireId?: string
  readonly api: ModelApi | "scripted"
  /** No slash at its end. */
  readonly baseUrl: string
  /** Tokens; a stated guess when the provider does not say. */
  readonly contextWindow: number
  readonly maxOutput: number
  readonly reasoning: boolean
  readonly images: boolean
  readonly price?: Price
  readonly headers?: Readonly<Record<string, string>>
  /** Fields that every request to it carries beside Gong's own: routing, say. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Where this endpoint departs from its wire format's usual form. */
  readonly compat?: Compat
}

export interface Compat {
  /** Role of the system prompt in openai-completions. */
  readonly systemRole?: "system" | "developer"
  /** Where the output limit is named in openai-completions; absent: none is sent. */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens"
  /** completion_tokens leaves reasoning tokens out (contract C-56). */
  readonly addReasoningTokens?: boolean
  /** The endpoint refuses `stream_options`. */
  readonly noStreamUsage?: boolean
  /** Thinking levels that it takes (OpenAI's formats: as effort, `off` as `none`). Default: low, medium, high. */
  readonly efforts?: readonly ThinkingLevel[]
  /** How thinking is switched (openai-completions). Default: by `reasoning_effort` alone. */
  readonly thinkingSwitch?: ThinkingSwitch
  /** Stands beside `type: "enabled"` in a switch of that kind: how earlier thoughts are to be used. */
  readonly thinkingWith?: Readonly<Record<string, string | boolean>>
  /** Refuses a reply of the history without `reasoning_content` (openai-completions): this stands where there was no thought. */
  readonly thoughtFiller?: string
  /** Streams the arguments of calls only where `tool_stream` asks for it (openai-completions). */
  readonly toolStream?: boolean
  /** Over openai-completions it refuses tools beside any effort but `none`. */
  readonly noEffort?: boolean
  /** Thinks as much as it finds right, steered by an effort (anthropic-messages, google-generative-ai). Otherwise it gets a budget of tokens. */
  readonly adaptiveThinking?: boolean
  /** How a model that thinks by default is told not to (anthropic-messages, google-generative-ai); absent, or where `efforts` name no `off`: it cannot be told, and thinks little. */
  readonly thinkingOff?: "disabled" | "between_tools"
  /** Takes ids of tool calls only as 9 letters and digits (openai-completions). */
  readonly shortIds?: boolean
  /** Where Gemini models have a word for calls of another model; without it they refuse them (openai-completions). */
  readonly callSeals?: "extra_content" | "reasoning_details"
  /** Routes by `prompt_cache_key` (openai-completions). */
  readonly cacheKey?: boolean
  /** Cuts a prompt that is too long without an error: seen by its token count. */
  readonly silentOverflow?: boolean
}

/**
 * `type`: `thinking: {type: "enabled" | "disabled"}`; `enable`: `enable_thinking: true | false`; both with an effort beside
 * it where there are `efforts`. `reasoning`: `reasoning: {effort}`, `none` for off. `effort`: the default, for a model that
 * departs from its provider.
 */
export const thinkingSwitches = ["type", "enable", "reasoning", "effort"] as const
export type ThinkingSwitch = (typeof thinkingSwitches)[number]

/** One request. The same system text and tool list every time keep the provider's cache warm. */
export interface ModelRequest {
  readonly system: string
  readonly tools: readonly ToolSpec[]
  /** Frozen; the same message object each time, so that its bytes are made once. */
  readonly messages: readonly Message[]
  readonly thinking: ThinkingLevel
  /** Names the conversation to providers that route by it. */
  readonly sessionId?: string
  readonly draftId: string
  readonly signal: AbortSignal
  /** While it says no, nobody shows what is still streaming: of partials in a row only the first of a kind need be given. */
  partialsWanted?(): boolean
}

/**
 * A model that can be asked. Never throws once the request has begun: what goes wrong is the reply's failure.
 * Leaving the generator early closes the connection.
 */
export interface Provider {
  readonly model: Model
  stream(ask: ModelRequest): AsyncGenerator<PartialUpdate, Reply, undefined>
}
