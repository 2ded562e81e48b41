import { phrase, type Text } from "@gong/spec"
import { commandOf, commands, type Command, topicOf } from "./commands.ts"
import { fieldOf, flags, laterFlags, type Flag, type Options } from "./flags.ts"
import { otherOption } from "./other-agents.ts"
import { alternatives, didYouMean, ok, usage, type Outcome } from "@gong/config/usage"
import { readValue } from "@gong/config/values"

export interface Args {
  readonly options: Options
  /** The message: all positional words, in order, with `-` and `@file` not expanded. Empty with a command. */
  readonly words: readonly string[]
  readonly command: Command | null
}

/** Parses a command line (without `node` and the script). Returns the first error, if any. */
export function parseArgs(argv: readonly string[]): Outcome<Args> {
  const options = new Map<string, unknown>()
  const words: string[] = []
  let at = 0
  for (; at < argv.length; at++) {
    const arg = argv[at] ?? ""
    if (arg === "--") break
    if (!arg.startsWith("-") || arg === "-") {
      words.push(arg)
      continue
    }
    const read = arg.startsWith("--") ? readLong(arg, argv[at + 1]) : readShort(arg, argv[at + 1])
    if (!read.ok) return read
    for (const given of read.value.given) apply(options, given)
    if (read.value.tookNext) at++
  }
  const beforeDashes = words.length
  words.push(...argv.slice(at + 1))
  return finish(Object.fromEntries(options), words, beforeDashes)
}

interface Given {
  readonly flag: Flag
  readonly value: string | number
}

interface Read {
  readonly given: readonly Given[]
  /** The value was the next argument. */
  readonly tookNext: boolean
}

const all: readonly Flag[] = flags
const byName: ReadonlyMap<string, Flag> = new Map(
  all.flatMap((flag) => [
    [`--${flag.name}`, flag] as const,
    ...(flag.short === undefined ? [] : [[`-${flag.short}`, flag] as const]),
  ]),
)

function readLong(arg: string, next: string | undefined): Outcome<Read> {
  const equals = arg.indexOf("=")
  const name = equals < 0 ? arg : arg.slice(0, equals)
  const flag = byName.get(name)
  if (flag === undefined) return unknown(name)
  if (flag.kind === "switch") {
    return equals < 0 ? ok({ given: [{ flag, value: "" }], tookNext: false }) : usage(phrase`${name} takes no value.`)
  }
  return valueFor(flag, name, equals < 0 ? undefined : arg.slice(equals + 1), next, [])
}

/** `-pq`, `-m ID`, `-mID`, `-pm ID`: switches may be combined, a value ends the group. */
function readShort(arg: string, next: string | undefined): Outcome<Read> {
  const given: Given[] = []
  for (let at = 1; at < arg.length; at++) {
    const name = `-${arg[at]}`
    const flag = byName.get(name)
    if (flag === undefined) return unknown(at === 1 && !laterFlags.has(name) ? arg : name)
    if (flag.kind !== "switch") {
      const inline = arg.slice(at + 1).replace(/^=/, "")
      return valueFor(flag, name, inline === "" ? undefined : inline, next, given)
    }
    given.push({ flag, value: "" })
  }
  return ok({ given, tookNext: false })
}

function valueFor(
  flag: Flag,
  name: string,
  inline: string | undefined,
  next: string | undefined,
  before: readonly Given[],
): Outcome<Read> {
  const text = inline ?? next
  // An argument that looks like an option is not taken as a value; `--flag=-value` forces it.
  if (text === undefined || (inline === undefined && /^-\S/.test(text))) {
    return usage(phrase`${name} needs a value: ${name} ${flag.choices?.join("|") ?? flag.value ?? ""}`)
  }
  const read = readValue(flag, text)
  if (!read.ok) return usage(phrase`${name} wants ${read.wants}, not "${text}".${didYouMean(text, flag.choices ?? [])}`)
  return ok({ given: [...before, { flag, value: read.value }], tookNext: inline === undefined })
}

function unknown(name: string): Outcome<never> {
  if (laterFlags.has(name)) return usage(phrase`${name} is not in this version yet.`)
  const other = otherOption(name)
  if (other !== null) return usage(other)
  const long = all.map((flag) => `--${flag.name}`)
  const near = name.startsWith("--") ? didYouMean(name, long) : didYouMean(`-${name}`, long)
  return usage(phrase`unknown option ${name}.${near === "" ? phrase` gong --help lists them.` : near}`)
}

function apply(options: Map<string, unknown>, { flag, value }: Given): void {
  const stands = flag.stands?.[String(value)]
  if (stands !== undefined) {
    const [name, other = ""] = stands.slice(2).split("=")
    options.set(fieldOf(name ?? ""), other)
    return
  }
  const field = fieldOf(flag.name)
  if (flag.repeat === true) options.set(field, [...((options.get(field) as unknown[] | undefined) ?? []), value])
  else options.set(field, flag.kind === "switch" ? true : value)
}

/** Checks that need the complete command line: the command, and options that require or exclude another. */
function finish(options: Options, words: readonly string[], beforeDashes: number): Outcome<Args> {
  const asked = options.help === true || options.version === true
  const command = beforeDashes === 0 ? ok(null) : commandOf(words)
  if (asked && options.help === true) return ok({ options, words: [], command: topicOf(words) })
  if (!command.ok) return asked ? ok({ options, words: [], command: null }) : command
  const misplaced = all.find((flag) => flag.only !== undefined && !fits(flag, options, command.value))
  if (misplaced !== undefined)
    return usage(phrase`--${misplaced.name} works only with ${alternatives((misplaced.only ?? []).map(example))}.`)
  const unspoken = unspokenOutput(options, command.value)
  if (unspoken !== null) return unspoken
  const sessions = ["continue", "session", "session-id", "fork", "no-session"].filter(
    (name) => fieldOf(name) in options,
  )
  if (sessions.length > 1) {
    return usage(phrase`${together(sessions.map((name) => `--${name}`))} exclude each other; take one of them.`)
  }
  if (options.noTools === true && options.tools !== undefined)
    return usage(phrase`--tools and --no-tools exclude each other.`)
  return ok({ options, words: command.value === null ? words : [], command: command.value })
}

function together([first = "", ...more]: readonly string[]): Text {
  return more.reduce<Text>((all, name) => phrase`${all} and ${name}`, first)
}

function fits(flag: Flag, options: Options, command: Command | null): boolean {
  if (!(fieldOf(flag.name) in options)) return true
  return flag.only?.some((one) => (one === "--version" ? options.version === true : command?.name === one)) === true
}

/** A command that does not support `--output` refuses it. Null: valid. */
function unspokenOutput({ output, version, json }: Options, command: Command | null): Outcome<never> | null {
  if (output === undefined || output === "text") return null
  if (version === true && json !== true)
    return usage(phrase`--output ${output} does not work with ${"--version"}; --json is for programs.`)
  // The output of rpc is JSON anyway, and help stays help.
  if (command === null || command.name === "rpc" || command.name === "help") return null
  const row = commands.find(({ name }) => name === command.name)
  const [verb] = row?.verbs === undefined ? [] : command.words
  const named = `"gong ${[command.name, ...(verb === undefined ? [] : [verb])].join(" ")}"`
  if (command.name === "attach")
    return output === "events"
      ? null
      : usage(phrase`--output json does not work with "gong attach"; text and events do.`)
  if (verb === "show" && output === "events") return null
  const tells = all.find(({ name }) => name === "json")?.only?.includes(command.name)
  return tells === true
    ? usage(phrase`--output ${output} does not work with ${named}; --json is for programs.`)
    : usage(phrase`--output ${output} does not work with ${named}.`)
}

function example(only: string): string {
  return only.startsWith("-") ? only : `"gong ${only}"`
}
