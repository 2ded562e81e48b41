/** Programs that replace files of the working tree with those of a commit. */
const programs = /(?<![\w.-])(?:git|hg|jj|sl|svn|gh|glab)(?![\w.:/=-])/g

/** git with a subcommand that does not change the working tree, after global options. */
const keepsFiles =
  /^git(?:\s+-[cC]\s+\S+|\s+-\S+)*\s+(?:status|diff|log|show|blame|branch|rev-parse|rev-list|ls-files|grep|add|describe|remote|config|tag|fetch|cat-file|for-each-ref|symbolic-ref)(?![\w-])/

/**
 * Whether a command may have git replace files, judged by its text. A command that hides it, for example in a script,
 * finds the files read-only.
 */
export function mayReplaceFiles(command: string | readonly string[]): boolean {
  const text = typeof command === "string" ? command : command.join(" ")
  return [...text.matchAll(programs)].some(({ index }) => !keepsFiles.test(text.slice(index)))
}
