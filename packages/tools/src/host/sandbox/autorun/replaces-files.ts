/** Programs that replace files of the work by those of a commit. */
const programs = /(?<![\w.-])(?:git|hg|jj|sl|svn|gh|glab)(?![\w.:/=-])/g

/** git with a verb that leaves the files as they are, behind options of its own. */
const leaves =
  /^git(?:\s+-[cC]\s+\S+|\s+-\S+)*\s+(?:status|diff|log|show|blame|branch|rev-parse|rev-list|ls-files|grep|add|describe|remote|config|tag|fetch|cat-file|for-each-ref|symbolic-ref)(?![\w-])/

/**
 * Whether a command may have git replace files. Judged by its words: what it says otherwise, or lets a script of its own do,
 * finds them read-only.
 */
export function mayReplaceFiles(command: string | readonly string[]): boolean {
  const text = typeof command === "string" ? command : command.join(" ")
  return [...text.matchAll(programs)].some(({ index }) => !leaves.test(text.slice(index)))
}
