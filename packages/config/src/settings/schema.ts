import { apis, permissionLevels, thinkingLevels } from "@gong/spec"
import { networkModes, sandboxModes, type SessionSpec } from "../session-spec.ts"

export interface Setting {
  readonly kind: SettingKind
  readonly choices?: readonly string[]
  /** Maximum of a `count`. */
  readonly most?: number
  /** The default; null: decided by its user. */
  readonly default: string | number | boolean | readonly string[] | null
  /** A repository may not set it, trusted or not (engine D22). */
  readonly userOnly?: true
  /** The command line option that sets it. */
  readonly flag?: keyof SessionSpec
  /** The value of the option if it is a switch. */
  readonly flagMeans?: boolean
  /** The environment variable that sets it. */
  readonly env?: string
  readonly about: string
}

/** `duration` is written as `90s` or `15m` and becomes milliseconds; `number` and `count` may be 0; `rules` of all sources are combined; `places` are paths or names; `keys` are entries `ACTION=KEY,KEY`. */
export type SettingKind =
  | "text"
  | "choice"
  | "switch"
  | "whole"
  | "count"
  | "number"
  | "money"
  | "duration"
  | "names"
  | "rules"
  | "places"
  | "keys"

/** All supported settings. In the file, dots are objects: `{"bash": {"timeout": 60}}`. */
// oxfmt-ignore
export const settings = {
  "model": { kind: "text", default: null, flag: "model", env: "GONG_MODEL", about: "provider/id[:thinking]; after commas fallback models" },
  "thinking": { kind: "choice", choices: thinkingLevels, default: null, flag: "thinking", env: "GONG_THINKING", about: "thinking level of the model" },
  "api": { kind: "choice", choices: apis, default: null, userOnly: true, flag: "api", env: "GONG_API", about: "the wire format of baseUrl" },
  "baseUrl": { kind: "text", default: null, userOnly: true, flag: "baseUrl", env: "GONG_BASE_URL", about: "any compatible endpoint" },
  "permission": { kind: "choice", choices: permissionLevels, default: null, userOnly: true, flag: "permission", env: "GONG_PERMISSION", about: "what may run without asking" },
  "rules.allow": { kind: "rules", default: [], userOnly: true, about: "allowed without a question, like --allow" },
  "rules.deny": { kind: "rules", default: [], about: "always refused, like --deny" },
  "ask.timeout": { kind: "number", default: null, userOnly: true, about: "seconds after which an open question for permission counts as a no, and a question of the tool ask as unanswered" },
  "language": { kind: "choice", choices: ["auto", "en", "zh-CN"], default: "auto", userOnly: true, env: "GONG_LANG", about: "language of texts for the user; auto: that of the locale" },
  "terminal.view": { kind: "choice", choices: ["screen", "plain"], default: "screen", userOnly: true, about: "a conversation with an input that stays below, or line by line (docs/terminal.md)" },
  "terminal.statusLine": { kind: "text", default: null, userOnly: true, about: "a command whose first line of output is the status row (docs/terminal.md)" },
  "terminal.title": { kind: "switch", default: true, userOnly: true, about: "the title of the terminal's window names the folder, and shows whether a run works" },
  "terminal.notify": { kind: "switch", default: true, userOnly: true, about: "a notification when a run of 10 s or more has ended, or a question waits, and the terminal is not in front" },
  "terminal.images": { kind: "switch", default: true, userOnly: true, about: "images of messages and results are drawn where the terminal can (docs/terminal.md)" },
  "terminal.keys": { kind: "keys", default: [], userOnly: true, about: "keys in place of those of an action, ACTION=KEY,KEY (docs/terminal.md)" },
  "terminal.wideAmbiguous": { kind: "switch", default: false, userOnly: true, about: "the terminal shows characters of ambiguous width, such as · and …, two columns wide" },
  "terminal.vim": { kind: "switch", default: false, userOnly: true, about: "keys of vi in the input (docs/terminal.md)" },
  "theme": { kind: "text", default: null, userOnly: true, about: "terminal colours: the name of a theme, or the absolute path of its file" },
  "sandbox": { kind: "choice", choices: sandboxModes, default: null, userOnly: true, flag: "sandbox", env: "GONG_SANDBOX", about: "sandbox for commands; default: by the level, if available" },
  "sandbox.reveal": { kind: "places", default: [], userOnly: true, about: "places of keys that sandboxed commands can read: names in docs/permissions.md, or paths" },
  "network": { kind: "choice", choices: networkModes, default: "on", userOnly: true, flag: "network", about: "network of sandboxed commands; hosts: registries, remotes and permitted hosts" },
  "tools": { kind: "text", default: "default", flag: "tools", about: "tools for the model, like --tools" },
  "reads": { kind: "choice", choices: ["anywhere", "workspace"], default: "anywhere", userOnly: true, about: "folders that read, grep, find and ls may access" },
  "writeGuard": { kind: "choice", choices: ["on", "off"], default: "on", userOnly: true, about: "write refuses once to replace a file that the session has not seen" },
  "env.allow": { kind: "names", default: [], userOnly: true, about: "withheld variables that are passed on to commands" },
  "env.deny": { kind: "names", default: [], about: "variables that are withheld from commands" },
  "bash.timeout": { kind: "whole", default: 120, about: "seconds for a command without its own timeout" },
  "bash.background": { kind: "switch", default: true, about: "after bash.timeout a command continues as a job; false: it is killed" },
  "undo.lookTime": { kind: "number", default: 0.3, userOnly: true, about: "maximum seconds of one scan for changes by a command" },
  "images.block": { kind: "switch", default: false, userOnly: true, about: "no image is sent to a model; a text replaces it" },
  "images.maxSize": { kind: "whole", default: 4_718_592, about: "maximum bytes of one image in a request; larger ones are scaled down" },
  "limits.maxTurns": { kind: "whole", default: null, flag: "maxTurns", about: "model replies in one run" },
  "limits.maxCost": { kind: "money", default: null, flag: "maxCost", about: "US dollars in one run" },
  "limits.maxTokens": { kind: "whole", default: null, flag: "maxTokens", about: "tokens in one run" },
  "limits.maxTime": { kind: "duration", default: null, flag: "maxTime", about: "time for one run, such as 15m" },
  "task.model": { kind: "text", default: null, about: "model of the tool task, PROVIDER/ID like -m; default: the session's model" },
  "task.maxTurns": { kind: "whole", default: 50, about: "model replies in one task" },
  "task.maxCost": { kind: "money", default: null, about: "US dollars in one task" },
  "task.maxTokens": { kind: "whole", default: null, about: "tokens in one task" },
  "task.maxTime": { kind: "duration", default: 900_000, about: "time for one task, such as 15m" },
  "queue.steer": { kind: "choice", choices: ["all", "one"], default: "all", about: "messages sent during a run: all at once, or one per turn" },
  "queue.followUp": { kind: "choice", choices: ["all", "one"], default: "one", about: "messages for the end of a run: one after the other, or all at once" },
  "contextFiles": { kind: "switch", default: true, flag: "noContext", flagMeans: false, about: "AGENTS.md and CLAUDE.md are read" },
  "skills": { kind: "switch", default: true, flag: "noSkills", flagMeans: false, about: "skills in the usual locations are loaded" },
  "stream.firstEvent": { kind: "number", default: null, about: "timeout in seconds for the first event of a reply; default: by model and address" },
  "stream.gap": { kind: "number", default: null, about: "timeout in seconds between two events of a reply; default: 30, at private addresses 120" },
  "proxy.loopback": { kind: "switch", default: false, userOnly: true, about: "requests to servers on this machine use the proxy too" },
  "tls.systemCa": { kind: "switch", default: false, userOnly: true, about: "certificate authorities of the system are trusted too" },
  "local.wait": { kind: "whole", default: 150, userOnly: true, about: "timeout in milliseconds of the search for model servers on this machine, if no model is configured" },
  "record": { kind: "choice", choices: ["on", "off"], default: "off", userOnly: true, about: "requests and replies are stored with the session, for `gong sessions replay`" },
  "retry.count": { kind: "count", most: 10, default: 3, about: "retries of a request after a temporary failure, 0 to 10" },
  "retry.baseMs": { kind: "whole", default: 1000, about: "milliseconds before the first retry; doubled for each further one, at most 8 s" },
  "compaction.auto": { kind: "switch", default: true, about: "long conversations are compacted automatically" },
  "compaction.model": { kind: "text", default: null, about: "model for summaries, PROVIDER/ID like -m; default: the session's model" },
  "compaction.reserveTokens": { kind: "whole", default: 16_384, about: "tokens of the context window that stay free; at most a quarter of it" },
  "compaction.keepRecentTokens": { kind: "whole", default: 20_000, about: "tokens of the newest messages that a compaction keeps; at most a quarter of the context window" },
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof settings

export const settingNames = Object.keys(settings) as readonly SettingName[]

export function settingOf(name: SettingName): Setting {
  return settings[name]
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settings, name)
}

type Row<N extends SettingName> = (typeof settings)[N]

type ValueOf<R> = R extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : R extends { readonly kind: "switch" }
    ? boolean
    : R extends { readonly kind: "names" | "rules" | "places" | "keys" }
      ? readonly string[]
      : R extends { readonly kind: "text" }
        ? string
        : number

/** The value of every setting; durations in milliseconds, others in the unit given in `about`. */
export type SettingValues = {
  readonly [N in SettingName]: ValueOf<Row<N>> | (Row<N> extends { readonly default: null } ? null : never)
}
