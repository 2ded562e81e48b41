import { apis, permissionLevels, thinkingLevels } from "@gong/spec"
import { networkModes, sandboxModes } from "@gong/config/session-spec"
import type { ValueKind } from "@gong/config/values"
import { agents } from "@gong/import/agents"

/** One command line option. The table below is the only definition: parsing, types and `--help` are derived from it. */
export interface Flag {
  readonly name: string
  readonly short?: string
  readonly kind: ValueKind
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

export type FlagGroup =
  | "Output"
  | "Model"
  | "Tools and permission"
  | "Session"
  | "Place"
  | "Prompt"
  | "Limits"
  | "Other"

// oxfmt-ignore
export const flags = [
  { name: "print", short: "p", kind: "switch", group: "Output", help: "print one answer on stdout and exit" },
  { name: "output", kind: "choice", choices: ["text", "json", "events"], group: "Output", help: "json: one result line; events: one line per event" },
  { name: "mode", kind: "choice", choices: ["text", "json"], stands: { text: "--output=text", json: "--output=events" }, group: "Output", help: "alias: --mode json is --output events" },
  { name: "partial", kind: "switch", group: "Output", help: "also send events for partial replies" },
  { name: "out-file", short: "o", kind: "text", value: "FILE", group: "Output", help: "also write the answer to a file" },
  { name: "plain", kind: "switch", group: "Output", help: "line by line, no cursor movement" },
  { name: "quiet", short: "q", kind: "switch", group: "Output", help: "no progress on stderr" },

  { name: "model", short: "m", kind: "text", value: "PROVIDER/ID[:thinking][,...]", group: "Model", help: "the model or its family (sonnet), then fallbacks" },
  { name: "thinking", kind: "choice", choices: thinkingLevels, group: "Model", help: "thinking level of the model" },
  { name: "api", kind: "choice", choices: apis, value: "FORMAT", group: "Model", help: "wire format of --base-url: openai-completions, ..." },
  { name: "base-url", kind: "text", value: "URL", group: "Model", help: "any compatible endpoint" },
  { name: "api-key", kind: "text", value: "KEY", group: "Model", help: "the key (visible in `ps`); - reads it from stdin" },
  { name: "api-key-env", kind: "variable", value: "NAME", group: "Model", help: "environment variable with the key" },

  { name: "tools", kind: "text", value: "LIST", group: "Tools and permission", help: "for example read,grep, -bash, minimal, readonly" },
  { name: "no-tools", kind: "switch", group: "Tools and permission", help: "send no tools" },
  { name: "permission", kind: "choice", choices: permissionLevels, group: "Tools and permission", help: "what may run without asking" },
  { name: "yolo", kind: "switch", stands: { "": "--permission=full" }, group: "Tools and permission", help: "the same as --permission full" },
  { name: "allow", kind: "text", value: "RULE", repeat: true, group: "Tools and permission", help: 'allow without a question, e.g. "bash(npm test)"' },
  { name: "deny", kind: "text", value: "RULE", repeat: true, group: "Tools and permission", help: 'always refuse, e.g. "edit(src/**)"' },
  { name: "strict", kind: "switch", group: "Tools and permission", help: "the first refusal ends the run, exit 4" },
  { name: "sandbox", kind: "choice", choices: sandboxModes, group: "Tools and permission", help: "sandbox for commands; default: by the level" },
  { name: "network", kind: "choice", choices: networkModes, group: "Tools and permission", help: "network of sandboxed commands; hosts: by host" },
  { name: "env", kind: "variable", value: "NAME", repeat: true, group: "Tools and permission", help: "pass a withheld variable on to commands" },

  { name: "continue", short: "c", kind: "switch", group: "Session", help: "continue the newest session of this workspace" },
  { name: "session", kind: "text", value: "ID", group: "Session", help: "continue a session: id, id prefix, name or path" },
  { name: "session-id", kind: "text", value: "ID", group: "Session", help: "open the session with this id, or create it" },
  { name: "fork", kind: "text", value: "ID", group: "Session", help: "continue in a copy of a session" },
  { name: "no-session", kind: "switch", group: "Session", help: "store nothing on disk" },
  { name: "name", kind: "text", value: "TEXT", group: "Session", help: "name the session" },
  { name: "all", kind: "switch", only: ["sessions", "permissions"], group: "Session", help: "`gong sessions|permissions`: everywhere" },
  { name: "substring", kind: "switch", only: ["sessions"], group: "Session", help: "with `gong sessions search`: any substring, slow" },
  { name: "after", kind: "text", value: "ENTRY|N", only: ["sessions", "attach"], group: "Session", help: "events of `sessions show`, `attach`: later ones" },
  { name: "until", kind: "choice", choices: ["idle"], only: ["attach"], group: "Session", help: "with `gong attach`: exit when the run has ended" },
  { name: "format", kind: "choice", choices: ["pi", "markdown"], only: ["sessions"], group: "Session", help: "format of `gong sessions export`" },

  { name: "cwd", kind: "text", value: "DIR", group: "Place", help: "working directory" },
  { name: "add-dir", kind: "text", value: "DIR", repeat: true, group: "Place", help: "another writable folder" },

  { name: "image", short: "i", kind: "text", value: "FILE", repeat: true, group: "Prompt", help: "attach an image" },
  { name: "system-prompt", kind: "prose", value: "TEXT|@FILE", group: "Prompt", help: "replaces Gong's system prompt" },
  { name: "append-system-prompt", kind: "prose", value: "TEXT|@FILE", group: "Prompt", help: "appended to Gong's system prompt" },
  { name: "skill", kind: "text", value: "PATH", repeat: true, group: "Prompt", help: "another skill, or a folder of skills" },
  { name: "no-skills", kind: "switch", group: "Prompt", help: "no skills except those of --skill" },
  { name: "prompt-template", kind: "text", value: "PATH", repeat: true, group: "Prompt", help: "another template, or a folder of them" },
  { name: "extension", short: "e", kind: "text", value: "PATH", repeat: true, group: "Prompt", help: "an extension, or a folder of them" },
  { name: "no-extensions", kind: "switch", group: "Prompt", help: "no extensions except those of -e" },
  { name: "set", kind: "pair", value: "KEY=VALUE", repeat: true, group: "Prompt", help: "a setting for this run" },
  { name: "bare", kind: "switch", group: "Prompt", help: "no settings, no AGENTS.md, no project resources" },
  { name: "no-context", kind: "switch", group: "Prompt", help: "no AGENTS.md, no CLAUDE.md" },
  { name: "trust", kind: "choice", choices: ["yes", "no"], group: "Prompt", help: "load active content of this folder in this run" },

  { name: "max-turns", kind: "whole", value: "N", group: "Limits", help: "model replies in this run" },
  { name: "max-cost", kind: "money", value: "USD", group: "Limits", help: "US dollars in this run" },
  { name: "max-tokens", kind: "whole", value: "N", group: "Limits", help: "tokens in this run" },
  { name: "max-time", kind: "duration", value: "90s|15m", group: "Limits", help: "time for this run" },

  { name: "keys", kind: "switch", only: ["models"], group: "Other", help: "with `gong models`: variables that hold keys" },
  { name: "refresh", kind: "switch", only: ["models"], group: "Other", help: "with `gong models`: fetch a newer catalogue" },
  { name: "project", kind: "switch", only: ["config", "import"], group: "Other", help: "with `gong config`, `gong import`: of the project" },
  { name: "from", kind: "choice", choices: agents, only: ["import"], group: "Other", help: "with `gong import`: the other agent" },
  { name: "sessions", kind: "switch", only: ["import"], group: "Other", help: "with `gong import`: its conversations" },
  { name: "dry-run", kind: "switch", only: ["import"], group: "Other", help: "with `gong import`: list changes, write nothing" },
  { name: "fast", kind: "switch", only: ["demo"], group: "Other", help: "with `gong demo`: no pauses" },
  { name: "help", short: "h", kind: "switch", group: "Other", help: "this text" },
  { name: "version", short: "v", kind: "switch", group: "Other", help: "the version; with --json also of node and rg" },
  { name: "json", kind: "switch", only: ["--version", "models", "sessions", "skills", "auth", "permissions", "config", "import", "trust", "mcp", "doctor"], group: "Other", help: "JSON output of --version and listing commands" },
] as const satisfies readonly Flag[]

/** Planned options, reported as missing instead of unknown. */
export const laterFlags: ReadonlySet<string> = new Set(
  "-w --on --agent --output-schema --token-file --listen --root".split(" "),
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
