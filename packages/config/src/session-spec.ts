import type { Api, PermissionLevel, StoredSession, ThinkingLevel } from "@gong/spec"

export const sandboxModes = ["off", "workspace", "read-only"] as const
export const networkModes = ["on", "off", "hosts"] as const
export type SandboxMode = (typeof sandboxModes)[number]
export type NetworkMode = (typeof networkModes)[number]

/** The tape of a session. */
export type TapeChoice =
  /** A new one. */
  | { readonly kind: "new" }
  /** A new one in memory only. */
  | { readonly kind: "memory" }
  /** The one with this id, or a new one with it. */
  | { readonly kind: "id"; readonly id: string }
  /** The newest of the workspace. */
  | { readonly kind: "newest" }
  /** By id, prefix or suffix of the id, name or path; or an item of a list. */
  | { readonly kind: "stored"; readonly session: string | StoredSession }
  /** A copy of a stored one, identified in the same way. */
  | { readonly kind: "fork"; readonly session: string }

/** What a session is opened with, as plain data, from a command line, a client or a program. Absent fields follow the settings. */
export interface SessionSpec {
  /** Default: a new tape. */
  readonly tape?: TapeChoice
  /** Whether a person or a program answers questions of the session. Default: false. */
  readonly interactive?: boolean
  /** The id of the host where a new session works. Default: this machine. */
  readonly host?: string
  /** Default: the folder of the process. */
  readonly cwd?: string
  /** Other writable folders. */
  readonly addDir?: readonly string[]
  readonly name?: string

  /** `provider/id[:thinking]`; fallback models after commas. */
  readonly model?: string
  readonly thinking?: ThinkingLevel
  /** The wire format of `baseUrl`. */
  readonly api?: Api
  readonly baseUrl?: string
  readonly apiKey?: string
  /** The environment variable that holds the key. */
  readonly apiKeyEnv?: string
  /** The provider of the key. Default: that of the first model. */
  readonly apiKeyFor?: string

  /** In the syntax of `--tools`. */
  readonly tools?: string
  readonly noTools?: boolean
  readonly permission?: PermissionLevel
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  /** The first refusal ends a run. */
  readonly strict?: boolean
  readonly sandbox?: SandboxMode
  readonly network?: NetworkMode
  /** Withheld variables that are passed on to commands. */
  readonly env?: readonly string[]

  /** A text, or `@FILE`. */
  readonly systemPrompt?: string
  readonly appendSystemPrompt?: string
  /** Paths of files, or of folders of them. */
  readonly skill?: readonly string[]
  readonly noSkills?: boolean
  readonly promptTemplate?: readonly string[]
  readonly extension?: readonly string[]
  readonly noExtensions?: boolean
  /** `key=value` of settings. */
  readonly set?: readonly string[]
  /** No settings, instructions or project resources. */
  readonly bare?: boolean
  readonly noContext?: boolean
  /** Whether active content of the folder is loaded in this session. */
  readonly trust?: "yes" | "no"

  readonly maxTurns?: number
  /** US dollars. */
  readonly maxCost?: number
  readonly maxTokens?: number
  /** Milliseconds. */
  readonly maxTime?: number
}
