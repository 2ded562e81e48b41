/** Types for extensions that provide models, version 1 of the API (docs/extensions.md). */

/** Models selected as `-m NAME/MODEL`, served over a wire format that Gong implements, or by the extension itself. */
export type ExtensionProvider = ProviderOfFormat | ProviderOfStream

interface ProviderFacts {
  /** 1 to 64 of a-z 0-9 . _ -. Names of Gong's own providers, and of those in models.json, are taken. */
  readonly name: string
  /** Shown to users. Default: the name. */
  readonly label?: string
  /**
   * Environment variables that hold its key, first choice first; none: no key is needed. They belong to this provider
   * only. Commands do not see them. A key stored by `gong login NAME` is sent to the origin of `baseUrl` only.
   */
  readonly keys?: readonly string[]
  /** By the id after the slash; at least one. */
  readonly models: Readonly<Record<string, ExtensionModel>>
  /** Used if no model is selected and no other provider has a key. */
  readonly defaultModel?: string
}

/** Like a provider in models.json (docs/models.md). */
export interface ProviderOfFormat extends ProviderFacts {
  /** Default: openai-completions. */
  readonly api?: "openai-completions" | "openai-responses" | "anthropic-messages" | "google-generative-ai"
  /** For example `https://models.example/v1`. */
  readonly baseUrl: string
  readonly headers?: Readonly<Record<string, string>>
  /** Fields added to every request. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly compat?: Readonly<Record<string, unknown>>
  readonly stream?: never
}

export interface ProviderOfStream extends ProviderFacts {
  /** The server's address. Required with `keys`, and used for nothing else. */
  readonly baseUrl?: string
  /**
   * Sends one request to the model. A reply is complete with its `stop`; one that ends without it was cut and is
   * retried. An exception fails the reply: as a connection error if it is one, by the `status` of the error if present,
   * otherwise permanently. A silent stream times out like that of any other model (docs/models.md).
   */
  stream(request: ModelRequest, context: StreamContext): AsyncIterable<ReplyPiece> | Iterable<ReplyPiece>
}

/** Like a model in models.json. */
export interface ExtensionModel {
  /** Tokens. Default 128,000. */
  readonly contextWindow?: number
  /** Maximum tokens of a reply. Default 16,384. */
  readonly maxOutput?: number
  readonly reasoning?: boolean
  readonly images?: boolean
  /** US dollars per million tokens; absent if unknown. */
  readonly price?: {
    readonly input: number
    readonly output: number
    readonly cacheRead?: number
    readonly cacheWrite?: number
  }
}

export interface StreamContext {
  /** Aborts when the reply is no longer needed. */
  readonly signal: AbortSignal
  /** Null if there is none. */
  readonly key: string | null
}

/** Everything the model needs to know. */
export interface ModelRequest {
  /** The id after the slash. */
  readonly model: string
  readonly system: string
  readonly tools: readonly {
    readonly name: string
    readonly description: string
    readonly parameters: Readonly<Record<string, unknown>>
  }[]
  /** Each tool call of an assistant message is followed by its result. */
  readonly messages: readonly RequestMessage[]
  readonly thinking: "off" | "minimal" | "low" | "medium" | "high" | "xhigh"
  /** Tokens. */
  readonly maxOutput: number
  /** Identifies the conversation. */
  readonly sessionId: string | null
}

type Text = { readonly type: "text"; readonly text: string }
type Image = { readonly type: "image"; readonly mimeType: string; readonly data: string }

export type RequestMessage =
  | { readonly role: "user"; readonly content: readonly (Text | Image)[] }
  | {
      readonly role: "assistant"
      readonly content: readonly (
        | Text
        /** As signed by this model. */
        | { readonly type: "thinking"; readonly text: string; readonly signature: string }
        | {
            readonly type: "tool_call"
            readonly id: string
            readonly name: string
            readonly arguments: Readonly<Record<string, unknown>>
          }
      )[]
    }
  | {
      readonly role: "tool"
      readonly toolCallId: string
      readonly toolName: string
      readonly content: readonly (Text | Image)[]
      readonly isError: boolean
    }

/** A chunk of a reply. */
export type ReplyPiece =
  | { readonly type: "text"; readonly text: string }
  /** With a `signature` it is sent back to this model as reasoning, otherwise as text. */
  | { readonly type: "thinking"; readonly text: string; readonly signature?: string }
  /** Starts a tool call, with all or none of its arguments. Without `id` Gong generates one. */
  | {
      readonly type: "tool_call"
      readonly name: string
      readonly id?: string
      readonly arguments?: Readonly<Record<string, unknown>>
    }
  /** More arguments of the last started call, as JSON text. */
  | { readonly type: "arguments"; readonly text: string }
  /** Tokens of the whole reply as known so far; the last one counts. `input` excludes cached tokens. */
  | {
      readonly type: "usage"
      readonly input: number
      readonly output: number
      readonly cacheRead?: number
      readonly cacheWrite?: number
      /** Included in `output`. */
      readonly reasoning?: number
    }
  /** Keep-alive without content. */
  | { readonly type: "ping" }
  /** The reply is complete; later chunks are ignored. */
  | { readonly type: "stop"; readonly reason: "stop" | "length" | "tool_calls" | "refusal" }
  /** Ends the reply with an error, classified by its HTTP status or its text. */
  | { readonly type: "failure"; readonly message: string; readonly status?: number; readonly retryAfterMs?: number }
