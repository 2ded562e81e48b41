import type { Compat, ModelApi } from "@gong/spec"

/** Who serves models: one row each. */
export interface ProviderRow {
  readonly id: string
  /** For people. */
  readonly name: string
  readonly api: ModelApi
  /** No slash at its end; the wire adds its path. */
  readonly baseUrl: string
  /** Other wire formats that it speaks, and where. */
  readonly also?: Readonly<Partial<Record<ModelApi, string>>>
  /** Environment variables that move `baseUrl`, first choice first. */
  readonly baseUrlKeys?: readonly string[]
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
  /** Of its price list. Default: US dollars. */
  readonly currency?: "CNY"
  /** The same company elsewhere: keys of one are refused by the other. */
  readonly region?: Region
  /** An environment variable with its host and port, with or without the scheme. */
  readonly hostKey?: string
  /** Runs on the user's machine: no key, no price; and what it can be asked beside its wire format. */
  readonly local?: "ollama" | "openai"
  /** Path of its list of models, after the base URL; null: it has none. Default: `/models`, or what its wire has. */
  readonly modelsPath?: string | null
  /** Path that answers only to a good key, where its list of models answers to everybody; null: nothing free tells. */
  readonly keyCheck?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Fields that every request to it carries beside Gong's own. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly compat?: Compat
  /** Its id at models.dev, where that is another. */
  readonly modelsDev?: string
}

export interface Region {
  /** This one, as `dashscope-intl (Singapore)`. */
  readonly site: string
  /** Id of the other. */
  readonly other: string
}
