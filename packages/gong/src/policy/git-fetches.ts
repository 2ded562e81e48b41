import { parseCommand } from "./command.ts"

/** The words of a command that does nothing but fetch or pull, in plain forms that name a remote and branches; null for all others. */
export function gitFetches(command: string): readonly string[] | null {
  const { commands, understood } = parseCommand(command)
  const [simple] = commands
  if (!understood || simple === undefined || commands.length > 1 || simple.targets.length > 0) return null
  // What a shell would make another word of fits none of the forms.
  const [program, verb = "", ...args] = simple.words.map((word) => word.text)
  const isPlain = /^(?:fetch|pull)$/.test(verb) && args.every((arg) => option.test(arg) || name.test(arg))
  return program === "git" && isPlain ? ["git", verb, ...args] : null
}

const option =
  /^(?:-q|--quiet|-v|--verbose|-p|--prune|-t|--tags|--no-tags|-r|--rebase|--no-rebase|--ff|--ff-only|--no-ff|--no-edit|--autostash)$/

/** No path, and nothing that says where a branch is to be put. */
const name = /^[\w][\w./-]*$/
