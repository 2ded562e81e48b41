import { type Command, commands } from "./commands.ts"
import { flags, type Flag, type FlagGroup } from "./flags.ts"
import type { Translate } from "@gong/texts/translator"

/** The text of `--help` and `gong help`: 80 columns, generated from the tables, with a final newline. */
export function helpText(t: Translate): string {
  return [
    t`Usage: gong [options] [@file ...] [message ...]\n       gong COMMAND`,
    "",
    t`A terminal opens a session; with -p, or in a pipe, one answer: gong -p "why does\nthe test fail?". Words that begin with @ name files to send along. -- ends the\noptions; a message - stands for stdin.`,
    "",
    t`Commands`,
    ...commands.map((command) => row(command.name, t(command.help))),
    ...groups.flatMap((group) => ["", t(group), ...rowsOf(t, group)]),
    "",
    t`Environment: GONG_HOME GONG_MODEL GONG_THINKING GONG_BASE_URL GONG_API\nGONG_API_KEY GONG_PERMISSION GONG_SANDBOX GONG_LANG GONG_DEBUG NO_COLOR, and\nthe key of each provider, such as ANTHROPIC_API_KEY or OPENAI_API_KEY.`,
    "",
    t`Exit: 0 done, 1 failed, 2 usage or configuration, 3 a limit, 4 permission was\nneeded, 130 interrupted.`,
    "",
  ].join("\n")
}

/** The help of one command, or of one of its verbs: from the same tables. */
export function commandHelp(t: Translate, { name, words: [verb] }: Command): string {
  const found = commands.find((row) => row.name === name)
  const verbs = Object.entries(found?.verbs ?? {})
  const shown = verbs.filter(([word]) => word === verb)
  const rows = (shown.length === 0 ? verbs : shown).map(([word, { value = "", help }]) =>
    row(`gong ${[name, word, value].filter(Boolean).join(" ")}`, t(help), verbColumn),
  )
  const own = row(`gong ${[name, found?.value ?? ""].join(" ").trim()}`, t(found?.help ?? ""), verbColumn)
  const all: readonly Flag[] = flags
  const options = all.filter(({ only }) => only?.includes(name)).map((flag) => row(spelling(flag), t(flag.help)))
  return [
    t`Usage:`,
    ...(shown.length === 0 ? [own] : []),
    ...rows,
    ...(options.length === 0 ? [] : ["", t`Options`, ...options]),
    "",
    t`gong --help lists all commands and options.`,
    "",
  ].join("\n")
}

const groups: readonly FlagGroup[] = [
  "Output",
  "Model",
  "Tools and permission",
  "Session",
  "Place",
  "Prompt",
  "Limits",
  "Other",
]

function rowsOf(t: Translate, group: FlagGroup): readonly string[] {
  const all: readonly Flag[] = flags
  return all.filter((flag) => flag.group === group).map((flag) => row(spelling(flag), t(flag.help)))
}

function spelling(flag: Flag): string {
  const value = flag.value ?? flag.choices?.join("|") ?? ""
  return `${flag.short === undefined ? "    " : `-${flag.short}, `}--${flag.name}${value === "" ? "" : ` ${value}`}`
}

const column = 29
const verbColumn = 40

/** A text that does not fit beside its option goes below it. */
function row(left: string, help: string, at = column): string {
  const indent = " ".repeat(at)
  return left.length + 4 <= at ? `  ${left}`.padEnd(at) + help : `  ${left}\n${indent}${help}`
}
