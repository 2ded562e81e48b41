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

/** `duration` is written as `90s` or `15m` and becomes milliseconds; `number` and `count` may be 0; `rules` of all sources are combined; `places` are paths or names. */
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

/** All supported settings. In the file, dots are objects: `{"bash": {"timeout": 60}}`. */
// oxfmt-ignore
export const settings = {
  "model": { kind: "text", default: null, flag: "model", env: "GONG_MODEL", about: "provider/id[:thinking] to ask; after commas those to fall back to" },
  "thinking": { kind: "choice", choices: thinkingLevels, default: null, flag: "thinking", env: "GONG_THINKING", about: "how long the model thinks" },
  "api": { kind: "choice", choices: apis, default: null, userOnly: true, flag: "api", env: "GONG_API", about: "the wire format that baseUrl speaks" },
  "baseUrl": { kind: "text", default: null, userOnly: true, flag: "baseUrl", env: "GONG_BASE_URL", about: "any compatible endpoint" },
  "permission": { kind: "choice", choices: permissionLevels, default: null, userOnly: true, flag: "permission", env: "GONG_PERMISSION", about: "what may run without asking" },
  "rules.allow": { kind: "rules", default: [], userOnly: true, about: "never ask for these, as --allow" },
  "rules.deny": { kind: "rules", default: [], about: "never do these, as --deny" },
  "ask.timeout": { kind: "number", default: null, userOnly: true, about: "seconds until a question for permission that nobody answers counts as a no, and one of the tool ask as unanswered" },
  "language": { kind: "choice", choices: ["auto", "en", "zh-CN"], default: "auto", userOnly: true, env: "GONG_LANG", about: "the language in which Gong speaks; auto: that of the locale" },
  "theme": { kind: "text", default: null, userOnly: true, about: "colours on a terminal: the name of a theme, or the full path of its file" },
  "sandbox": { kind: "choice", choices: sandboxModes, default: null, userOnly: true, flag: "sandbox", env: "GONG_SANDBOX", about: "what confines commands; else by the level, where it works" },
  "sandbox.reveal": { kind: "places", default: [], userOnly: true, about: "places of keys that confined commands see all the same: names of docs/permissions.md, or paths" },
  "network": { kind: "choice", choices: networkModes, default: "on", userOnly: true, flag: "network", about: "whether confined commands reach the network; hosts: registries, remotes and what is let through" },
  "tools": { kind: "text", default: "default", flag: "tools", about: "which tools are sent, as --tools" },
  "reads": { kind: "choice", choices: ["anywhere", "workspace"], default: "anywhere", userOnly: true, about: "where read, grep, find and ls may look" },
  "writeGuard": { kind: "choice", choices: ["on", "off"], default: "on", userOnly: true, about: "write refuses once to replace a file that the session has not looked at" },
  "env.allow": { kind: "names", default: [], userOnly: true, about: "withheld variables that commands may see" },
  "env.deny": { kind: "names", default: [], about: "variables that commands may not see" },
  "bash.timeout": { kind: "whole", default: 120, about: "seconds for a command that names no timeout itself" },
  "bash.background": { kind: "switch", default: true, about: "after that time a command goes on as a job; off: it is killed" },
  "undo.lookTime": { kind: "number", default: 0.3, userOnly: true, about: "seconds that one look for what a command changed may take" },
  "images.block": { kind: "switch", default: false, userOnly: true, about: "no image is sent to a model; a text says that there was one" },
  "images.maxSize": { kind: "whole", default: 4_718_592, about: "bytes of one image as it is sent; larger ones are made smaller" },
  "limits.maxTurns": { kind: "whole", default: null, flag: "maxTurns", about: "model replies in one run" },
  "limits.maxCost": { kind: "money", default: null, flag: "maxCost", about: "US dollars in one run" },
  "limits.maxTokens": { kind: "whole", default: null, flag: "maxTokens", about: "tokens in one run" },
  "limits.maxTime": { kind: "duration", default: null, flag: "maxTime", about: "time for one run, as 15m" },
  "task.model": { kind: "text", default: null, about: "PROVIDER/ID that the tool task asks, as -m; else the session's model" },
  "task.maxTurns": { kind: "whole", default: 50, about: "model replies in one task" },
  "task.maxCost": { kind: "money", default: null, about: "US dollars in one task" },
  "task.maxTokens": { kind: "whole", default: null, about: "tokens in one task" },
  "task.maxTime": { kind: "duration", default: 900_000, about: "time for one task, as 15m" },
  "queue.steer": { kind: "choice", choices: ["all", "one"], default: "all", about: "messages sent into a run: all that wait go in at once, or one a turn" },
  "queue.followUp": { kind: "choice", choices: ["all", "one"], default: "one", about: "messages for after a run: one after the other, or all at once" },
  "contextFiles": { kind: "switch", default: true, flag: "noContext", flagMeans: false, about: "AGENTS.md and CLAUDE.md are read" },
  "skills": { kind: "switch", default: true, flag: "noSkills", flagMeans: false, about: "skills are looked for in their usual places" },
  "stream.firstEvent": { kind: "number", default: null, about: "seconds until the first event of a reply; else by model and place" },
  "stream.gap": { kind: "number", default: 30, about: "seconds between two events of a reply" },
  "proxy.loopback": { kind: "switch", default: false, userOnly: true, about: "servers on this machine are asked through the proxy too" },
  "tls.systemCa": { kind: "switch", default: false, userOnly: true, about: "authorities that the system trusts count beside Node's own" },
  "local.wait": { kind: "whole", default: 150, userOnly: true, about: "milliseconds that a model server on this machine has to answer, when no model is configured" },
  "record": { kind: "choice", choices: ["on", "off"], default: "off", userOnly: true, about: "requests and replies are kept beside the session, for `gong sessions replay`" },
  "retry.count": { kind: "count", most: 10, default: 3, about: "how often a request that failed on the way is sent again, 0 to 10" },
  "retry.baseMs": { kind: "whole", default: 1000, about: "milliseconds before the first retry; then twice as long each time, at most 8 s" },
  "compaction.auto": { kind: "switch", default: true, about: "a conversation that grows too long for the model is compacted by itself" },
  "compaction.model": { kind: "text", default: null, about: "PROVIDER/ID that writes the summaries, as -m; else the session's model" },
  "compaction.reserveTokens": { kind: "whole", default: 16_384, about: "tokens of the window that stay free; at most a quarter of it" },
  "compaction.keepRecentTokens": { kind: "whole", default: 20_000, about: "tokens of the newest messages that a compaction keeps; at most a quarter of the window" },
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
    : R extends { readonly kind: "names" | "rules" | "places" }
      ? readonly string[]
      : R extends { readonly kind: "text" }
        ? string
        : number

/** The value of every setting; durations in milliseconds, others in the unit given in `about`. */
export type SettingValues = {
  readonly [N in SettingName]: ValueOf<Row<N>> | (Row<N> extends { readonly default: null } ? null : never)
}
