import type { Compat, ModelApi } from "@gong/spec"

/** A provider of models. */
export interface ProviderRow {
  readonly id: string
  /** Display name. */
  readonly name: string
  readonly api: ModelApi
  /** Without a trailing slash; the wire format appends its path. */
  readonly baseUrl: string
  /** Base URLs of other supported wire formats. */
  readonly also?: Readonly<Partial<Record<ModelApi, string>>>
  /** Environment variables that override `baseUrl`, in order of precedence. */
  readonly baseUrlKeys?: readonly string[]
  /** Environment variables with its key, in order of precedence; empty: no key needed. */
  readonly keys: readonly string[]
  /** Those of `keys` that are sent as `Authorization: Bearer` even if the wire format has its own key header. */
  readonly bearerKeys?: readonly string[]
  /** Prefix of its keys, if that identifies them. */
  readonly keyPrefix?: string
  /** Null: its models are known only on request. */
  readonly defaultModel: string | null
  /** Pattern of its model ids; absent: it serves models of others. */
  readonly family?: RegExp
  /** Currency of its price list. Default: US dollars. */
  readonly currency?: "CNY"
  /** The same company's other site, which refuses keys of this one. */
  readonly region?: Region
  /** Environment variable with its host and port, with or without a scheme. */
  readonly hostKey?: string
  /** Runs on the user's machine: no key, no price. The value is its API for listing models. */
  readonly local?: "ollama" | "openai"
  /** Path of its list of models after the base URL; null: none. Default: `/models`, or that of the wire format. */
  readonly modelsPath?: string | null
  /** Path that answers only to a valid key, if the list of models answers to any; null: no free check exists. */
  readonly keyCheck?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Extra fields of every request body. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly compat?: Compat
  /** Its id at models.dev, if different. */
  readonly modelsDev?: string
}

export interface Region {
  /** Name of this site, as `dashscope-intl (Singapore)`. */
  readonly site: string
  /** Provider id of the other site. */
  readonly other: string
}
