import { ok, usage, type Outcome } from "./usage.ts"

export interface Command {
  readonly name: CommandName
  /** What follows the name, e.g. `["show", "4f2a"]`. */
  readonly words: readonly string[]
}

export type CommandName = "demo" | "doctor" | "sessions" | "undo" | "help"

interface CommandRow {
  readonly name: CommandName
  readonly help: string
  /** Words that may follow, and the values each of them needs; what stands in [] may be left out, and "..." takes all words behind it. */
  readonly verbs?: Readonly<Record<string, string | null>>
}

export const commands: readonly CommandRow[] = [
  { name: "demo", help: "Gong repairs a failing test: no key, no network" },
  { name: "doctor", help: "what works on this machine" },
  {
    name: "sessions",
    help: "list; search WORDS; show ID; rm ID, to the trash",
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
      rebuild: null,
      stats: null,
    },
  },
  { name: "undo", help: "take back what the newest session changed" },
  { name: "help", help: "this text" },
]

const laterCommands: ReadonlySet<string> = new Set(
  "rpc acp serve attach skills models login auth mcp trust config".split(" "),
)

/** The command that the first word names, or null when the words are a message. Words that a command does not know are an error. */
export function commandOf(words: readonly string[]): Outcome<Command | null> {
  const [first, ...rest] = words
  if (first === undefined) return ok(null)
  if (laterCommands.has(first)) return later(first, words)
  const row = commands.find((command) => command.name === first)
  if (row === undefined) return ok(null)
  const [verb, ...values] = rest
  if (verb === undefined) return ok({ name: row.name, words: [] })
  if (row.verbs === undefined || !Object.hasOwn(row.verbs, verb)) return looksLikeMessage(first, words)
  const wanted = row.verbs[verb] ?? null
  const names = wanted?.split(" ") ?? []
  if (values.length < names.filter((name) => !name.startsWith("[")).length) {
    return usage(`"${first} ${verb}" needs a value: gong ${first} ${verb} ${wanted}`)
  }
  const most = names.at(-1)?.endsWith("...") === true ? Infinity : names.length
  if (values.length > most) return looksLikeMessage(first, words)
  return ok({ name: row.name, words: rest })
}

function later(first: string, words: readonly string[]): Outcome<never> {
  const missing = `"${first}" is not in this version yet.`
  return words.length === 1 ? usage(missing) : usage(`${missing} For a message write: gong -- ${words.join(" ")}`)
}

function looksLikeMessage(first: string, words: readonly string[]): Outcome<never> {
  return usage(`"${first}" is a command. For a message write: gong -- ${words.join(" ")}`)
}
