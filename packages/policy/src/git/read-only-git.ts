/** Constraints on the words after a git verb under which it only reads. */
interface Verb {
  /** Permitted options; absent: all that are not refused. */
  readonly options?: RegExp
  /** Maximum number of words without a dash; absent: any. */
  readonly operands?: number
  /** Permitted first words. */
  readonly first?: RegExp
}

/** Fields of a branch or a tag; `signature` is excluded, since it runs gpg. */
const field =
  "(?:refname|objectname|objecttype|upstream|push|HEAD|symref|worktreepath|subject|contents:subject|(?:author|committer|creator)(?:name|email|date)?)(?::[\\w=,-]*)?"
const sort = `-sort=-?(?:${field}|v(?:ersion)?:refname)`

const verbs: Readonly<Record<string, Verb>> = {
  status: {},
  diff: {},
  log: {},
  show: {},
  blame: { options: /^-(?:[wetlsCMn]+|L.*|-line-porcelain|-porcelain|-date=\w+)$/ },
  branch: {
    operands: 0,
    options: new RegExp(
      `^-(?:[alrv]+|-all|-remotes|-list|-show-current|-no-color|-verbose|${sort}|-format=(?:[^%]|%%|%\\(${field}\\))*)$`,
    ),
  },
  tag: { operands: 0, options: new RegExp(`^-(?:l|n\\d*|-list|${sort})$`) },
  remote: { operands: 0, options: /^-v$/ },
  stash: { first: /^(?:list|show)$/ },
  worktree: { first: /^list$/, operands: 1 },
  "rev-parse": {
    options:
      /^-(?:-(?:show-toplevel|show-prefix|abbrev-ref|short(?:=\d+)?|verify|quiet|git-dir|git-common-dir|is-inside-work-tree|symbolic-full-name|all|branches|tags)|q)$/,
  },
  "rev-list": { options: /^-(?:n|\d+|-(?:count|all|oneline|max-count=\d+|no-merges|merges|reverse|left-right))$/ },
  "ls-files": {
    options: /^-(?:[cdmostuvz]+|-(?:cached|deleted|modified|others|stage|exclude-standard|full-name|error-unmatch))$/,
  },
  "ls-tree": { options: /^-(?:[rtdlz]+|-(?:name-only|full-tree|long))$/ },
  "cat-file": { first: /^-[pts]$/, options: /^-[pts]$/ },
  "merge-base": { options: /^-(?:a|-(?:all|is-ancestor|fork-point))$/ },
  describe: { options: /^-(?:-(?:tags|always|all|long|abbrev=\d+|exact-match))$/ },
  grep: { options: /^-(?:[nilcwEFGPhHIvLqe]+|[ABCm]\d*|-(?:cached|name-only|count|heading|break|and|or|not))$/ },
  shortlog: { options: /^-(?:[sne]+|-(?:summary|numbered|email))$/ },
  "--version": { operands: 0, options: /^$/ },
}

/** Options that write, run a program or leave the repository. Git accepts their prefixes too. */
const refusedNames = [
  "--output",
  "--ext-diff",
  "--exec",
  "--show-signature",
  "--no-index",
  "--remerge-diff",
  "--diff-merges",
  "--textconv",
  // They start git in another repository with its own settings.
  "--submodule",
  "--alternate-refs",
  // It starts the manual viewer.
  "--help",
]

/** Whether git with these words only reads, provided that the repository's settings run nothing. */
export function isReadOnlyGit(words: readonly string[]): boolean {
  const at = words.findIndex((word) => word !== "--no-pager" && word !== "-P")
  const name = words[at] ?? ""
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (verb === undefined) return false
  const rest = words.slice(at + 1)
  if (verb.first?.test(rest[0] ?? "") === false) return false
  const first = rest.findIndex((word) => !word.startsWith("-") || word === "--")
  if (verb.operands !== undefined && first >= 0 && rest.length - first > verb.operands) return false
  return rest.every(
    (word) => !isRefused(word) && (!word.startsWith("-") || word === "--" || (verb.options?.test(word) ?? true)),
  )
}

function isRefused(word: string): boolean {
  const [name = ""] = word.split("=", 1)
  // %G in a format runs gpg.
  if (/^-O|%G/.test(word) || name.startsWith("--output")) return true
  return name.length > 2 && refusedNames.some((option) => option.startsWith(name))
}
