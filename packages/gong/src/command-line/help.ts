import { commands } from "./commands.ts"
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

/** A text that does not fit beside its option goes below it. */
function row(left: string, help: string): string {
  const indent = " ".repeat(column)
  return left.length + 4 <= column ? `  ${left}`.padEnd(column) + help : `  ${left}\n${indent}${help}`
}
