import { phrase, type Text, nearest } from "@gong/spec"
import { didYouMean, ok, usage, type Outcome } from "@gong/config/usage"
import { mayBeCommand } from "@gong/app/slash-line"
import { otherCommand } from "./other-agents.ts"

export interface Command {
  readonly name: CommandName
  /** The words after the name, e.g. `["show", "4f2a"]`. */
  readonly words: readonly string[]
}

export type CommandName =
  | "attach"
  | "demo"
  | "doctor"
  | "models"
  | "login"
  | "auth"
  | "config"
  | "import"
  | "mcp"
  | "rpc"
  | "permissions"
  | "sessions"
  | "skills"
  | "trust"
  | "undo"
  | "completions"
  | "help"

export interface CommandRow {
  readonly name: CommandName
  readonly help: string
  /** Its required value; optional in []. */
  readonly value?: string
  readonly verbs?: Readonly<Record<string, VerbRow>>
}

export interface VerbRow {
  readonly help: string
  /** Its values; optional in [], and "..." takes all further words. */
  readonly value?: string
}

export const commands: readonly CommandRow[] = [
  { name: "demo", help: "Gong repairs a failing test: no key, no network" },
  { name: "doctor", help: "check this machine and the configuration" },
  { name: "models", help: "available models, with context sizes and prices", value: "[SEARCH]" },
  { name: "rpc", help: "a session for another program, as JSON lines" },
  {
    name: "sessions",
    help: "list; search WORDS; show ID; rm ID (to the trash)",
    verbs: {
      list: { help: "sessions of this workspace, the newest first" },
      search: { value: "WORD...", help: "sessions and steps that contain all words" },
      show: { value: "ID", help: "the whole session, or its events" },
      tree: { value: "ID", help: "its branches" },
      fork: { value: "ID [STEP]", help: "a copy of it, complete or up to a step" },
      rename: { value: "ID NAME...", help: "give it a name" },
      rm: { value: "ID", help: "move it to the trash" },
      restore: { value: "ID", help: "bring it back from the trash" },
      export: { value: "ID", help: "write it as Markdown or for Pi to stdout" },
      import: { value: "FILE", help: "read a session of Pi" },
      verify: { value: "ID", help: "check every line of its files" },
      replay: { value: "ID", help: "run it again against its recorded replies" },
      rebuild: { help: "make the index of all sessions anew" },
      stats: { help: "sizes, numbers and cost of all sessions" },
    },
  },
  {
    name: "skills",
    help: "list, with templates; validate [PATH]; add SOURCE",
    verbs: {
      list: { help: "skills and templates, with their files" },
      validate: { value: "[PATH]", help: "check the files of skills" },
      add: { value: "SOURCE", help: "copy a skill from a folder or a git repository" },
    },
  },
  { name: "attach", value: "ID", help: "watch a session that is open in another process" },
  {
    name: "undo",
    help: "undo the session's file changes or its compaction",
    verbs: {
      compaction: { help: "undo the last compaction instead of file changes" },
    },
  },
  { name: "login", value: "[PROVIDER]", help: "store an API key: typed without echo or from stdin" },
  {
    name: "auth",
    help: "list API keys; logout removes one",
    verbs: {
      status: { help: "providers with a key, and where it comes from" },
      logout: { value: "[PROVIDER]", help: "remove a stored key" },
    },
  },
  {
    name: "permissions",
    help: "stored allow rules of this repository; rm RULE",
    verbs: {
      list: { help: "stored allow rules of this repository" },
      rm: { value: "RULE", help: "remove one" },
    },
  },
  {
    name: "trust",
    help: "trust for active content of this folder; yes, no",
    verbs: {
      list: { help: "active content of this folder, and the decision" },
      yes: { help: "trust the current content" },
      no: { help: "never load it" },
      forget: { value: "[FOLDER]", help: "forget the decision about a folder" },
    },
  },
  {
    name: "config",
    help: "settings and their sources; the system prompt",
    verbs: {
      list: { help: "all settings with their sources" },
      get: { value: "NAME", help: "one setting" },
      set: { value: "NAME VALUE", help: "store a setting" },
      unset: { value: "NAME", help: "remove a stored setting" },
      path: { help: "the settings files" },
      prompt: { help: "the parts of the system prompt, with sizes" },
    },
  },
  {
    name: "mcp",
    help: "MCP servers: list, add, remove, test, login",
    verbs: {
      list: { help: "servers with their states" },
      add: { value: "NAME TARGET...", help: "a program after --, or an address" },
      remove: { value: "NAME", help: "remove one of yours" },
      test: { value: "NAME", help: "start it; show its tools and its output" },
      login: { value: "NAME", help: "log in with a browser" },
      logout: { value: "NAME", help: "remove the stored login" },
      trust: { value: "NAME", help: "show its changed tools, and accept them" },
    },
  },
  { name: "import", help: "import from another agent: --from claude" },
  {
    name: "completions",
    help: "completions for a shell: bash, zsh, fish",
    verbs: {
      bash: { help: "source <(gong completions bash)" },
      zsh: { help: "source <(gong completions zsh)" },
      fish: { help: "gong completions fish | source" },
    },
  },
  { name: "help", value: "[COMMAND]", help: "this text, or that of one command" },
]

const laterCommands: ReadonlySet<string> = new Set("acp serve".split(" "))

/** The command of the first word, or null for a message. Words that a command does not know are an error. */
export function commandOf(words: readonly string[]): Outcome<Command | null> {
  const [first, ...rest] = words
  if (first === undefined) return ok(null)
  const other = otherCommand(words)
  if (other !== null) return usage(other)
  if (laterCommands.has(first)) return later(first, words)
  const row = commands.find((command) => command.name === first)
  if (row === undefined) return slipOf(first, words)
  if (row.value !== undefined) return withValue(row.name, row.value, words)
  const [verb, ...values] = rest
  if (verb === undefined) return ok({ name: row.name, words: [] })
  const { verbs = {} } = row
  if (!Object.hasOwn(verbs, verb)) return looksLikeMessage(first, words, didYouMean(verb, Object.keys(verbs)))
  const wanted = verbs[verb]?.value ?? ""
  const names = wanted === "" ? [] : wanted.split(" ")
  if (values.length < names.filter((name) => !name.startsWith("[")).length) {
    return usage(phrase`"${first} ${verb}" needs a value: gong ${first} ${verb} ${wanted}`)
  }
  const most = names.at(-1)?.endsWith("...") === true ? Infinity : names.length
  if (values.length > most) return looksLikeMessage(first, words)
  return ok({ name: row.name, words: rest })
}

/** The command that a help option is about: the first word, if it is one. */
export function topicOf([first, ...words]: readonly string[]): Command | null {
  const row = commands.find(({ name }) => name === first)
  return row === undefined ? null : { name: row.name, words }
}

/** A single word similar to a command's name, alone or before one of its verbs, is hardly a message. */
function slipOf(first: string, words: readonly string[]): Outcome<null> {
  const near = nearest(
    first,
    commands.map(({ name }) => name),
  )
  const { verbs = {} } = commands.find(({ name }) => name === near) ?? {}
  // A slash begins a command of a conversation.
  if (near === null || mayBeCommand(first) || (words.length > 1 && !Object.hasOwn(verbs, words[1] ?? "")))
    return ok(null)
  return usage(
    phrase`there is no command "${first}".${didYouMean(first, [near])} For a message write: gong -- ${words.join(" ")}`,
  )
}

function withValue(name: CommandName, value: string, words: readonly string[]): Outcome<Command> {
  const rest = words.slice(1)
  if (rest.length === 0 && !value.startsWith("[")) return usage(phrase`"${name}" needs a value: gong ${name} ${value}`)
  return rest.length > 1 ? looksLikeMessage(name, words) : ok({ name, words: rest })
}

function later(first: string, words: readonly string[]): Outcome<never> {
  const missing = phrase`"${first}" is not in this version yet.`
  return words.length === 1 ? usage(missing) : usage(phrase`${missing} For a message write: gong -- ${words.join(" ")}`)
}

function looksLikeMessage(first: string, words: readonly string[], near: Text = ""): Outcome<never> {
  return usage(phrase`"${first}" is a command.${near} For a message write: gong -- ${words.join(" ")}`)
}
