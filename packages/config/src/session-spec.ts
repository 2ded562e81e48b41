import type { Api, PermissionLevel, StoredSession, ThinkingLevel } from "@gong/spec"

export const sandboxModes = ["off", "workspace", "read-only"] as const
export const networkModes = ["on", "off", "hosts"] as const
export type SandboxMode = (typeof sandboxModes)[number]
export type NetworkMode = (typeof networkModes)[number]

/** Which tape a session is opened with. */
export type TapeChoice =
  /** A new one. */
  | { readonly kind: "new" }
  /** A new one that is gone with the process. */
  | { readonly kind: "memory" }
  /** The one with this id, or a new one that gets it. */
  | { readonly kind: "id"; readonly id: string }
  /** The newest of the workspace. */
  | { readonly kind: "newest" }
  /** By id, its beginning, its end, name or path; or as a list found it. */
  | { readonly kind: "stored"; readonly session: string | StoredSession }
  /** A new copy of a stored one, named in the same way. */
  | { readonly kind: "fork"; readonly session: string }

/** What a session is opened with, as plain data: by a command line, a client of a server, a program. What is absent follows settings. */
export interface SessionSpec {
  /** Default: a new tape. */
  readonly tape?: TapeChoice
  /** Whether a person or a program answers questions of the session. Default: false. */
  readonly interactive?: boolean
  /** The id of the host where a new session works. Default: this machine. */
  readonly host?: string
  /** Default: the folder of the process. */
  readonly cwd?: string
  /** Other folders that may be changed. */
  readonly addDir?: readonly string[]
  readonly name?: string

  /** `provider/id[:thinking]`; after commas those to fall back to. */
  readonly model?: string
  readonly thinking?: ThinkingLevel
  /** The wire format behind `baseUrl`. */
  readonly api?: Api
  readonly baseUrl?: string
  readonly apiKey?: string
  /** The environment variable that holds the key. */
  readonly apiKeyEnv?: string
  /** The provider of the key. Default: that of the session's first model. */
  readonly apiKeyFor?: string

  /** As `--tools` writes them. */
  readonly tools?: string
  readonly noTools?: boolean
  readonly permission?: PermissionLevel
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  /** The first refusal ends a run. */
  readonly strict?: boolean
  readonly sandbox?: SandboxMode
  readonly network?: NetworkMode
  /** Withheld variables that commands may see. */
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
  /** No settings, no instructions, nothing of the project's. */
  readonly bare?: boolean
  readonly noContext?: boolean
  /** Whether what the folder brings is loaded, for this session. */
  readonly trust?: "yes" | "no"

  readonly maxTurns?: number
  /** US dollars. */
  readonly maxCost?: number
  readonly maxTokens?: number
  /** Milliseconds. */
  readonly maxTime?: number
}
