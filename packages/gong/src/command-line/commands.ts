import { phrase, type Text, nearest } from "@gong/spec"
import { didYouMean, ok, usage, type Outcome } from "@gong/config/usage"
import { mayBeCommand } from "@gong/app/slash-line"

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
  | "rpc"
  | "permissions"
  | "sessions"
  | "skills"
  | "trust"
  | "undo"
  | "help"

interface CommandRow {
  readonly name: CommandName
  readonly help: string
  /** Its required value; optional in []. */
  readonly value?: string
  /** Its verbs with their values; optional in [], and "..." takes all further words. */
  readonly verbs?: Readonly<Record<string, string | null>>
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
      list: null,
      search: "WORD...",
      show: "ID",
      tree: "ID",
      fork: "ID [STEP]",
      rm: "ID",
      restore: "ID",
      export: "ID",
      import: "FILE",
      verify: "ID",
      replay: "ID",
      rebuild: null,
      stats: null,
    },
  },
  {
    name: "skills",
    help: "list, with templates; validate [PATH]; add SOURCE",
    verbs: { list: null, validate: "[PATH]", add: "SOURCE" },
  },
  { name: "attach", value: "ID", help: "watch a session that is open in another process" },
  {
    name: "undo",
    help: "undo the session's file changes or its compaction",
    verbs: { compaction: null },
  },
  { name: "login", value: "[PROVIDER]", help: "store an API key: typed without echo or from stdin" },
  {
    name: "auth",
    help: "list API keys; logout removes one",
    verbs: { status: null, logout: "[PROVIDER]" },
  },
  {
    name: "permissions",
    help: "stored allow rules of this repository; rm RULE",
    verbs: { list: null, rm: "RULE" },
  },
  {
    name: "trust",
    help: "trust for active content of this folder; yes, no",
    verbs: { list: null, yes: null, no: null, forget: "[FOLDER]" },
  },
  {
    name: "config",
    help: "settings and their sources; the system prompt",
    verbs: { list: null, get: "NAME", set: "NAME VALUE", unset: "NAME", path: null, prompt: null },
  },
  { name: "import", help: "import from another agent: --from claude" },
  { name: "help", help: "this text" },
]

const laterCommands: ReadonlySet<string> = new Set("acp serve mcp".split(" "))

/** The command of the first word, or null for a message. Words that a command does not know are an error. */
export function commandOf(words: readonly string[]): Outcome<Command | null> {
  const [first, ...rest] = words
  if (first === undefined) return ok(null)
  if (laterCommands.has(first)) return later(first, words)
  const row = commands.find((command) => command.name === first)
  if (row === undefined) return slipOf(first, words)
  if (row.value !== undefined) return withValue(row.name, row.value, words)
  const [verb, ...values] = rest
  if (verb === undefined) return ok({ name: row.name, words: [] })
  const { verbs = {} } = row
  if (!Object.hasOwn(verbs, verb)) return looksLikeMessage(first, words, didYouMean(verb, Object.keys(verbs)))
  const wanted = verbs[verb] ?? null
  const names = wanted?.split(" ") ?? []
  if (values.length < names.filter((name) => !name.startsWith("[")).length) {
    return usage(phrase`"${first} ${verb}" needs a value: gong ${first} ${verb} ${wanted}`)
  }
  const most = names.at(-1)?.endsWith("...") === true ? Infinity : names.length
  if (values.length > most) return looksLikeMessage(first, words)
  return ok({ name: row.name, words: rest })
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
