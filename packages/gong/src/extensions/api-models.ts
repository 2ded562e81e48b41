/** What an extension that brings models is given and gives, version 1 of the API: types only (docs/extensions.md). */

/** Models behind one name, asked as `-m NAME/MODEL`: over a wire format that Gong speaks, or by the extension itself. */
export type ExtensionProvider = ProviderOfFormat | ProviderOfStream

interface ProviderFacts {
  /** 1 to 64 of a-z 0-9 . _ -. Gong's own providers, and those of models.json, keep their names. */
  readonly name: string
  /** For people. Default: the name. */
  readonly label?: string
  /**
   * Environment variables that hold its key, first choice first; none: it wants no key. They are its own, not those of another
   * provider. Commands do not see them. A key that was kept by `gong login NAME` goes to the origin of `baseUrl` only.
   */
  readonly keys?: readonly string[]
  /** By the id that stands behind the slash; at least one. */
  readonly models: Readonly<Record<string, ExtensionModel>>
  /** Asked where nobody names a model and no other provider has a key. */
  readonly defaultModel?: string
}

/** As a provider in models.json (docs/models.md). */
export interface ProviderOfFormat extends ProviderFacts {
  /** Default: openai-completions. */
  readonly api?: "openai-completions" | "openai-responses" | "anthropic-messages" | "google-generative-ai"
  /** As `https://models.example/v1`. */
  readonly baseUrl: string
  readonly headers?: Readonly<Record<string, string>>
  /** Fields that every request carries beside Gong's own. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly compat?: Readonly<Record<string, unknown>>
  readonly stream?: never
}

export interface ProviderOfStream extends ProviderFacts {
  /** Where it is asked; needed with `keys`, and for nothing else. */
  readonly baseUrl?: string
  /**
   * Asks the model once. A reply is whole with its `stop`; one that ends without it was cut and is asked for again. What this
   * throws fails the reply: as the connection's fault where it is one, by the `status` of the error where it has one, otherwise
   * for good. Silence ends it as it ends any other model's reply (docs/models.md).
   */
  stream(request: ModelRequest, context: StreamContext): AsyncIterable<ReplyPiece> | Iterable<ReplyPiece>
}

/** As a model in models.json. */
export interface ExtensionModel {
  /** Tokens. Default 128,000. */
  readonly contextWindow?: number
  /** Tokens of the longest reply. Default 16,384. */
  readonly maxOutput?: number
  readonly reasoning?: boolean
  readonly images?: boolean
  /** US dollars for a million tokens; absent: not known. */
  readonly price?: {
    readonly input: number
    readonly output: number
    readonly cacheRead?: number
    readonly cacheWrite?: number
  }
}

export interface StreamContext {
  /** Aborted when nobody waits for the reply any more. */
  readonly signal: AbortSignal
  /** Null: there is none. */
  readonly key: string | null
}

/** All that the model is to know. */
export interface ModelRequest {
  /** Behind the slash. */
  readonly model: string
  readonly system: string
  readonly tools: readonly {
    readonly name: string
    readonly description: string
    readonly parameters: Readonly<Record<string, unknown>>
  }[]
  /** Each call of an assistant's message has its result behind it. */
  readonly messages: readonly RequestMessage[]
  readonly thinking: "off" | "minimal" | "low" | "medium" | "high" | "xhigh"
  /** Tokens. */
  readonly maxOutput: number
  /** Names the conversation. */
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
        /** As this model sealed it. */
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

/** A piece of a reply. */
export type ReplyPiece =
  | { readonly type: "text"; readonly text: string }
  /** With a `signature` it goes back to this model as a thought, otherwise as text. */
  | { readonly type: "thinking"; readonly text: string; readonly signature?: string }
  /** A call begins, with all arguments or none of them. Without `id` Gong makes one. */
  | {
      readonly type: "tool_call"
      readonly name: string
      readonly id?: string
      readonly arguments?: Readonly<Record<string, unknown>>
    }
  /** More of the arguments, as JSON text, of the call that began last. */
  | { readonly type: "arguments"; readonly text: string }
  /** Tokens of the whole reply as far as they are known; the last one counts. `input` is what was not cached. */
  | {
      readonly type: "usage"
      readonly input: number
      readonly output: number
      readonly cacheRead?: number
      readonly cacheWrite?: number
      /** Of `output`. */
      readonly reasoning?: number
    }
  /** The server lives and has nothing to say yet. */
  | { readonly type: "ping" }
  /** The reply is whole; what comes behind it is not read. */
  | { readonly type: "stop"; readonly reason: "stop" | "length" | "tool_calls" | "refusal" }
  /** Instead of going on. Told apart by its HTTP status, or by its words. */
  | { readonly type: "failure"; readonly message: string; readonly status?: number; readonly retryAfterMs?: number }
