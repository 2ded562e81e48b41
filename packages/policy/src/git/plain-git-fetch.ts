import { parseCommand } from "../command/command.ts"

/** The words of a command that only fetches or pulls, in plain forms with a remote and branches; null for any other. */
export function plainGitFetch(command: string): readonly string[] | null {
  const { commands, complete } = parseCommand(command)
  const [simple] = commands
  if (!complete || simple === undefined || commands.length > 1 || simple.targets.length > 0) return null
  // A word that the shell would expand fits no form.
  const [program, verb = "", ...args] = simple.words.map((word) => word.text)
  const isPlain = /^(?:fetch|pull)$/.test(verb) && args.every((arg) => option.test(arg) || name.test(arg))
  return program === "git" && isPlain ? ["git", verb, ...args] : null
}

const option =
  /^(?:-q|--quiet|-v|--verbose|-p|--prune|-t|--tags|--no-tags|-r|--rebase|--no-rebase|--ff|--ff-only|--no-ff|--no-edit|--autostash)$/

/** Not a path, and not a refspec with a destination. */
const name = /^[\w][\w./-]*$/
