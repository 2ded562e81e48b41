import { parseCommand } from "../command/command.ts"

/**
 * Git commands that write git's own settings, or need files that the sandbox hides. They run outside of it after the same
 * question, without a shell: only in these plain forms, which run no program but git.
 */
export function unsandboxedGit(command: string): readonly string[] | null {
  const { commands, complete } = parseCommand(command)
  const [simple] = commands
  if (!complete || simple === undefined || commands.length > 1 || simple.targets.length > 0) return null
  if (!simple.words.every((word) => word.literal && !word.glob && !word.tilde)) return null
  const [program, verb = "", ...args] = simple.words.map((word) => word.text)
  return program === "git" && isPlain(verb, args) ? ["git", verb, ...args] : null
}

function isPlain(verb: string, args: readonly string[]): boolean {
  switch (verb) {
    case "push":
      return isPush(args)
    case "remote":
      return /^(?:add|set-url)$/.test(args[0] ?? "") && args.length === 3 && !args.some(isOption)
    case "branch":
      return isBranch(args)
    case "switch":
    case "checkout":
      return /^(?:-t|--track)$/.test(args[0] ?? "") && args.length === 2 && !isOption(args[1] ?? "")
    case "worktree":
      return args[0] === "add" && args.length > 1 && args.length < 4 && !args.some(isOption)
    case "submodule":
      return isSubmodule(args)
    default:
      return false
  }
}

/** To a remote by its name; a path or URL could lead to hooks created by a command. */
function isPush(args: readonly string[]): boolean {
  const names = args.filter((arg) => !isOption(arg))
  const options = args.filter(isOption)
  const known =
    /^(?:-u|--set-upstream|-f|--force|--force-with-lease|--tags|--follow-tags|-n|--dry-run|-d|--delete|-q|-v)$/
  return options.every((option) => known.test(option)) && /^[\w.-]*$/.test(names[0] ?? "")
}

function isBranch(args: readonly string[]): boolean {
  const [option = "", ...names] = args
  const upstream = /^(?:-u|--set-upstream-to)$/.test(option) && names.length <= 2
  const removal = /^(?:-d|-D|--delete)$/.test(option)
  return (upstream || removal) && names.length > 0 && !names.some(isOption)
}

/** Only records the URLs of submodules. `update` and `foreach` run git with settings of folders that a command can write to. */
function isSubmodule([verb = "", ...rest]: readonly string[]): boolean {
  return /^(?:add|init|sync)$/.test(verb) && !rest.some(isOption)
}

function isOption(text: string): boolean {
  return text.startsWith("-")
}
