import { apis, permissionLevels, thinkingLevels } from "@gong/spec"
import { networkModes, sandboxModes } from "./session-spec.ts"

/** One command line option. The table below is the only definition: parsing, types and `--help` are derived from it. */
export interface Flag {
  readonly name: string
  readonly short?: string
  readonly kind: FlagKind
  /** Display form of the value in help and error messages. */
  readonly value?: string
  readonly choices?: readonly string[]
  /** May be repeated; then all values count. Otherwise the last one does. */
  readonly repeat?: true
  /** An alias: the meaning of each value. A switch has the value "". */
  readonly stands?: Readonly<Record<string, string>>
  /** Valid only with one of these commands or options. */
  readonly only?: readonly string[]
  readonly group: FlagGroup
  readonly help: string
}

/**
 * `text` must not be empty, `prose` may; `whole` is at least 1; `money` is US dollars above 0; `duration` becomes milliseconds;
 * `pair` is `key=value`; `variable` is the name of an environment variable.
 */
export type FlagKind = "switch" | "text" | "prose" | "choice" | "whole" | "money" | "duration" | "pair" | "variable"

export type FlagGroup =
  | "Output"
  | "Model"
  | "Tools and permission"
  | "Session"
  | "Place"
  | "Prompt"
  | "Limits"
  | "Other"

/** Agents whose configuration `gong import` supports. */
export const agents = ["claude", "codex", "pi", "opencode"] as const

// oxfmt-ignore
export const flags = [
  { name: "print", short: "p", kind: "switch", group: "Output", help: "answer once on stdout and leave" },
  { name: "output", kind: "choice", choices: ["text", "json", "events"], group: "Output", help: "json: one result line; events: a JSON line each" },
  { name: "mode", kind: "choice", choices: ["text", "json"], stands: { text: "--output=text", json: "--output=events" }, group: "Output", help: "other spelling: --mode json is --output events" },
  { name: "partial", kind: "switch", group: "Output", help: "events also while text is still streaming" },
  { name: "out-file", short: "o", kind: "text", value: "FILE", group: "Output", help: "write the answer to a file as well" },
  { name: "plain", kind: "switch", group: "Output", help: "line by line, no cursor movement" },
  { name: "quiet", short: "q", kind: "switch", group: "Output", help: "no progress on stderr" },

  { name: "model", short: "m", kind: "text", value: "PROVIDER/ID[:thinking][,...]", group: "Model", help: "the model to ask, and those to fall back to" },
  { name: "thinking", kind: "choice", choices: thinkingLevels, group: "Model", help: "how long the model thinks" },
  { name: "api", kind: "choice", choices: apis, value: "FORMAT", group: "Model", help: "what --base-url speaks; openai-completions, ..." },
  { name: "base-url", kind: "text", value: "URL", group: "Model", help: "any compatible endpoint" },
  { name: "api-key", kind: "text", value: "KEY", group: "Model", help: "the key; - reads it from stdin. `ps` shows a KEY" },
  { name: "api-key-env", kind: "variable", value: "NAME", group: "Model", help: "the environment variable that holds the key" },

  { name: "tools", kind: "text", value: "LIST", group: "Tools and permission", help: "as read,grep or -bash or minimal or readonly" },
  { name: "no-tools", kind: "switch", group: "Tools and permission", help: "send no tools" },
  { name: "permission", kind: "choice", choices: permissionLevels, group: "Tools and permission", help: "what may run without asking" },
  { name: "yolo", kind: "switch", stands: { "": "--permission=full" }, group: "Tools and permission", help: "the same as --permission full" },
  { name: "allow", kind: "text", value: "RULE", repeat: true, group: "Tools and permission", help: 'never ask for this, as "bash(npm test)"' },
  { name: "deny", kind: "text", value: "RULE", repeat: true, group: "Tools and permission", help: 'never do this, as "edit(src/**)"' },
  { name: "strict", kind: "switch", group: "Tools and permission", help: "the first refusal ends the run, exit 4" },
  { name: "sandbox", kind: "choice", choices: sandboxModes, group: "Tools and permission", help: "what confines commands; default: what works" },
  { name: "network", kind: "choice", choices: networkModes, group: "Tools and permission", help: "what confined commands reach; hosts: by host" },
  { name: "env", kind: "variable", value: "NAME", repeat: true, group: "Tools and permission", help: "let commands see a withheld variable" },

  { name: "continue", short: "c", kind: "switch", group: "Session", help: "go on with the newest session of this workspace" },
  { name: "session", kind: "text", value: "ID", group: "Session", help: "go on with one: id, its beginning, name or path" },
  { name: "session-id", kind: "text", value: "ID", group: "Session", help: "open the session with this id, or create it" },
  { name: "fork", kind: "text", value: "ID", group: "Session", help: "go on in a copy of one, which stays as it is" },
  { name: "no-session", kind: "switch", group: "Session", help: "keep nothing on disk" },
  { name: "name", kind: "text", value: "TEXT", group: "Session", help: "name the session" },
  { name: "all", kind: "switch", only: ["sessions", "permissions"], group: "Session", help: "`gong sessions|permissions`: everywhere" },
  { name: "substring", kind: "switch", only: ["sessions"], group: "Session", help: "with `gong sessions search`: any characters, slow" },
  { name: "after", kind: "text", value: "ENTRY|N", only: ["sessions", "attach"], group: "Session", help: "events of `sessions show` and `attach`: the rest" },
  { name: "until", kind: "choice", choices: ["idle"], only: ["attach"], group: "Session", help: "with `gong attach`: leave when the run has ended" },
  { name: "format", kind: "choice", choices: ["pi", "markdown"], only: ["sessions"], group: "Session", help: "of `gong sessions export`" },

  { name: "cwd", kind: "text", value: "DIR", group: "Place", help: "work there" },
  { name: "add-dir", kind: "text", value: "DIR", repeat: true, group: "Place", help: "another folder that may be changed" },

  { name: "image", short: "i", kind: "text", value: "FILE", repeat: true, group: "Prompt", help: "send an image along" },
  { name: "system-prompt", kind: "prose", value: "TEXT|@FILE", group: "Prompt", help: "instead of Gong's own" },
  { name: "append-system-prompt", kind: "prose", value: "TEXT|@FILE", group: "Prompt", help: "after Gong's own" },
  { name: "skill", kind: "text", value: "PATH", repeat: true, group: "Prompt", help: "another skill, or a folder of skills" },
  { name: "no-skills", kind: "switch", group: "Prompt", help: "no skills but those of --skill" },
  { name: "prompt-template", kind: "text", value: "PATH", repeat: true, group: "Prompt", help: "another template, or a folder of them" },
  { name: "extension", short: "e", kind: "text", value: "PATH", repeat: true, group: "Prompt", help: "an extension, or a folder of them" },
  { name: "no-extensions", kind: "switch", group: "Prompt", help: "no extensions but those of -e" },
  { name: "set", kind: "pair", value: "KEY=VALUE", repeat: true, group: "Prompt", help: "a setting for this run" },
  { name: "bare", kind: "switch", group: "Prompt", help: "no settings, no AGENTS.md, nothing of the project's" },
  { name: "no-context", kind: "switch", group: "Prompt", help: "no AGENTS.md, no CLAUDE.md" },
  { name: "trust", kind: "choice", choices: ["yes", "no"], group: "Prompt", help: "load what this folder brings, for this run" },

  { name: "max-turns", kind: "whole", value: "N", group: "Limits", help: "model replies in this run" },
  { name: "max-cost", kind: "money", value: "USD", group: "Limits", help: "US dollars in this run" },
  { name: "max-tokens", kind: "whole", value: "N", group: "Limits", help: "tokens in this run" },
  { name: "max-time", kind: "duration", value: "90s|15m", group: "Limits", help: "time for this run" },

  { name: "keys", kind: "switch", only: ["models"], group: "Other", help: "with `gong models`: which keys are read" },
  { name: "refresh", kind: "switch", only: ["models"], group: "Other", help: "with `gong models`: fetch a newer catalogue" },
  { name: "project", kind: "switch", only: ["config", "import"], group: "Other", help: "with `gong config`, `gong import`: of the project" },
  { name: "from", kind: "choice", choices: agents, only: ["import"], group: "Other", help: "with `gong import`: whose configuration" },
  { name: "dry-run", kind: "switch", only: ["import"], group: "Other", help: "with `gong import`: say what would be done" },
  { name: "fast", kind: "switch", only: ["demo"], group: "Other", help: "with `gong demo`: no pauses" },
  { name: "help", short: "h", kind: "switch", group: "Other", help: "this text" },
  { name: "version", short: "v", kind: "switch", group: "Other", help: "the version; with --json also of node and rg" },
  { name: "json", kind: "switch", only: ["--version", "models", "sessions", "skills", "auth", "permissions", "config", "import", "trust"], group: "Other", help: "with --version and the commands that list: JSON" },
] as const satisfies readonly Flag[]

/** Planned options, reported as missing instead of unknown. */
export const laterFlags: ReadonlySet<string> = new Set(
  "-r -w --on --agent --output-schema --token-file --listen --root".split(" "),
)

type Row = (typeof flags)[number]

type Camel<S extends string> = S extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S

type ValueOf<R extends Row> = R extends { readonly kind: "switch" }
  ? true
  : R extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : R extends { readonly kind: "whole" | "money" | "duration" }
      ? number
      : string

/** Parsed options: `--max-time 15m` is `maxTime: 900000`, `--add-dir` is `addDir: [...]`. Options that were not given are absent. */
export type Options = {
  readonly [R in Row as R extends { readonly stands: unknown } ? never : Camel<R["name"]>]?: R extends {
    readonly repeat: true
  }
    ? readonly ValueOf<R>[]
    : ValueOf<R>
}

export function fieldOf(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
