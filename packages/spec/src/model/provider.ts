import type { PartialUpdate, Reply } from "../session/step.ts"
import type { Message } from "./message.ts"
import type { ThinkingLevel } from "./thinking.ts"
import type { ToolSpec } from "../tool/tool.ts"
import type { Price } from "./usage.ts"

/** The wire formats. */
export const apis = ["openai-completions", "openai-responses", "anthropic-messages", "google-generative-ai"] as const
export type Api = (typeof apis)[number]

/** How requests are made: over a wire format, or by an extension in Gong's own format. */
export type ModelApi = Api | "extension"

export interface Model {
  /** Id of the provider, for example `anthropic`. */
  readonly provider: string
  readonly id: string
  /** The endpoint's name for it, if that differs from `id`, for example the name of a deployment. */
  readonly wireId?: string
  readonly api: ModelApi | "scripted"
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Tokens; a documented guess if the provider gives no number. */
  readonly contextWindow: number
  readonly maxOutput: number
  readonly reasoning: boolean
  readonly images: boolean
  readonly price?: Price
  readonly headers?: Readonly<Record<string, string>>
  /** Extra fields of every request body, for example for routing. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Differences of this endpoint from the standard wire format. */
  readonly compat?: Compat
}

export interface Compat {
  /** Role of the system prompt in openai-completions. */
  readonly systemRole?: "system" | "developer"
  /** Name of the output limit in openai-completions; absent: no limit is sent. */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens"
  /** completion_tokens leaves reasoning tokens out (contract C-56). */
  readonly addReasoningTokens?: boolean
  /** The endpoint refuses `stream_options`. */
  readonly noStreamUsage?: boolean
  /** Accepted thinking levels (OpenAI's formats: effort, with `off` as `none`). Default: low, medium, high. */
  readonly efforts?: readonly ThinkingLevel[]
  /** How thinking is switched on and off (openai-completions). Default: by `reasoning_effort` alone. */
  readonly thinkingSwitch?: ThinkingSwitch
  /** Fields beside `type: "enabled"` in such a switch: how earlier reasoning is used. */
  readonly thinkingWith?: Readonly<Record<string, string | boolean>>
  /** Sent as `reasoning_content` of replies without reasoning; the endpoint rejects a history without it (openai-completions). */
  readonly thoughtFiller?: string
  /** Streams call arguments only with `tool_stream` (openai-completions). */
  readonly toolStream?: boolean
  /** With tools it accepts only the effort `none` (openai-completions). */
  readonly noEffort?: boolean
  /** The model chooses its amount of thinking, guided by an effort (anthropic-messages, google-generative-ai). Otherwise it gets a token budget. */
  readonly adaptiveThinking?: boolean
  /** How to switch off thinking of a model that thinks by default (anthropic-messages, google-generative-ai). Absent, or without `off` in `efforts`: it cannot be switched off, and is set to the minimum. */
  readonly thinkingOff?: "disabled" | "between_tools"
  /** Accepts only tool call ids of 9 letters and digits (openai-completions). */
  readonly shortIds?: boolean
  /** Where Gemini models take a placeholder signature for calls of other models, which they reject without one (openai-completions). */
  readonly callSeals?: "extra_content" | "reasoning_details"
  /** Routes by `prompt_cache_key` (openai-completions). */
  readonly cacheKey?: boolean
  /** Truncates an overlong prompt without an error; detected by its token count. */
  readonly silentOverflow?: boolean
  /**
   * How the model calls tools. `native`: by the wire format alone. `text`: calls written as text are read too, the default for
   * local models and for providers of the user. `schema`: tools stand in the system prompt, and `response_format` makes the
   * reply a call or an answer (openai-completions).
   */
  readonly calls?: CallStyle
}

export const callStyles = ["native", "text", "schema"] as const
export type CallStyle = (typeof callStyles)[number]

/**
 * `type`: `thinking: {type: "enabled" | "disabled"}`; `enable`: `enable_thinking: true | false`; both also send an effort if
 * there are `efforts`. `reasoning`: `reasoning: {effort}`, `none` for off. `effort`: the default, for a model that differs
 * from its provider.
 */
export const thinkingSwitches = ["type", "enable", "reasoning", "effort"] as const
export type ThinkingSwitch = (typeof thinkingSwitches)[number]

/** One request to a model. An unchanged system prompt and tool list keep the provider's cache warm. */
export interface ModelRequest {
  readonly system: string
  readonly tools: readonly ToolSpec[]
  /** Frozen; the same objects every time, so that each is serialized once. */
  readonly messages: readonly Message[]
  readonly thinking: ThinkingLevel
  /** Identifies the conversation, for providers that route by it. */
  readonly sessionId?: string
  readonly draftId: string
  readonly signal: AbortSignal
  /** False while nobody shows the stream: then only the first of consecutive partials of a kind is needed. Default: true. */
  partialsWanted?(): boolean
}

/**
 * An open model. Never throws after the request has begun: errors are the reply's failure. An early return of the generator
 * closes the connection.
 */
export interface Provider {
  /** Its window shrinks when a refusal names a smaller one. */
  readonly model: Model
  stream(ask: ModelRequest): AsyncGenerator<PartialUpdate, Reply, undefined>
}
