import { commands } from "./commands.ts"
import { type Flag, flags } from "./flags.ts"

export const shells = ["bash", "zsh", "fish"] as const
export type Shell = (typeof shells)[number]

const all: readonly Flag[] = flags

/** A script that completes commands, verbs, options and their choices in a shell; from the same tables as `--help`. */
export function completions(shell: Shell): string {
  return shell === "fish" ? fish() : shell === "zsh" ? `autoload -U +X bashcompinit && bashcompinit\n${bash()}` : bash()
}

const names = commands.map(({ name }) => name).join(" ")
const options = all.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]).join(" ")

/** zsh runs the same script by its bashcompinit. */
function bash(): string {
  const verbs = commands.flatMap(({ name, verbs: own }) =>
    own === undefined ? [] : [`    ${name}) words="${Object.keys(own).join(" ")}" ;;`],
  )
  const choices = all.flatMap(({ name, short, choices: own }) =>
    own === undefined
      ? []
      : [`    ${[`--${name}`, ...(short === undefined ? [] : [`-${short}`])].join("|")}) words="${own.join(" ")}" ;;`],
  )
  return `_gong() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  case "$prev" in
${choices.join("\n")}
  esac
  if [ -z "$words" ]; then
    case "$cur" in
    -*) words="${options}" ;;
    esac
  fi
  if [ -z "$words" ] && [ "$COMP_CWORD" -eq 1 ]; then words="${names}"; fi
  if [ -z "$words" ] && [ "$COMP_CWORD" -eq 2 ]; then
    case "$prev" in
${verbs.join("\n")}
    esac
  fi
  COMPREPLY=()
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); fi
}
complete -o default -F _gong gong
`
}

function fish(): string {
  const rows = commands.map(
    ({ name, help }) => `complete -c gong -n __fish_use_subcommand -a ${name} -d ${quoted(help)}`,
  )
  const verbs = commands.flatMap(({ name, verbs: own = {} }) =>
    Object.entries(own).map(
      ([verb, { help }]) =>
        `complete -c gong -f -n "__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${Object.keys(own).join(" ")}" -a ${verb} -d ${quoted(help)}`,
    ),
  )
  const flagRows = all.map(({ name, short, kind, choices: own, help }) => {
    const value = kind === "switch" ? "" : own === undefined ? " -r" : ` -x -a ${quoted(own.join(" "))}`
    return `complete -c gong -l ${name}${short === undefined ? "" : ` -s ${short}`}${value} -d ${quoted(help)}`
  })
  return `${[...rows, ...verbs, ...flagRows].join("\n")}\n`
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
}
