import type { ParsedCommand, SimpleCommand, Word } from "./command.ts"
import { isReadOnlyGit } from "../git/read-only-git.ts"
import { absolute, isInside } from "../paths.ts"
import { secretsBelow } from "../sensitive/secrets.ts"
import { type ReadOnlyCommand, readOnlyCommands } from "./read-only-commands.ts"
import { transparent } from "./unwrap.ts"

export interface CommandContext {
  /** The command's working directory. */
  readonly cwd: string
  readonly home: string
  readonly gongHome: string
  /** The environment of commands: some variables name key locations, or make a program run another. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly roots: readonly string[]
}

export interface ReadOnlyAnalysis {
  /** The command writes nothing, runs no other program and sends nothing. */
  readonly readOnly: boolean
  /** Files and folders that it reads, absolute; the caller checks whether they are secret. */
  readonly reads: readonly string[]
  /** Those of them that are searched recursively. */
  readonly trees: readonly string[]
  /** Trees in which links are followed; the caller checks whether one leads outside. */
  readonly linkedTrees: readonly string[]
  /** Programs by name; the caller checks which files they resolve to. */
  readonly programs: readonly string[]
  /** Folders in which git runs; the caller checks whether its settings there name programs. */
  readonly gitFolders: readonly string[]
  /** Some parts are allowed only by `isAllowed`. */
  readonly byRule: boolean
}

interface Findings {
  readonly reads: string[]
  readonly trees: string[]
  readonly linkedTrees: string[]
  readonly programs: Set<string>
  readonly gitFolders: Set<string>
}

const notReadOnly: ReadOnlyAnalysis = {
  readOnly: false,
  reads: [],
  trees: [],
  linkedTrees: [],
  programs: [],
  gitFolders: [],
  byRule: false,
}

/**
 * Whether a command certainly only reads. In doubt it does not, which costs a question; a wrong yes would cost a file. `isAllowed`
 * accepts further commands (allow rules).
 */
export function analyzeReadOnly(
  parsed: ParsedCommand,
  context: CommandContext,
  isAllowed: (simple: SimpleCommand) => boolean,
): ReadOnlyAnalysis {
  if (!parsed.complete || parsed.commands.length === 0) return notReadOnly
  const findings = emptyFindings()
  let cwd = context.cwd
  let byRule = false
  for (const [index, simple] of parsed.commands.entries()) {
    if (!simple.targets.every((word) => word.literal && word.text === "/dev/null")) return notReadOnly
    const changed = changedFolder(parsed, index, { ...context, cwd })
    if (changed !== null) cwd = changed
    else if (isAllowed(simple)) byRule ||= !analyzeProgram(simple.words, { ...context, cwd }, emptyFindings())
    else if (!analyzeProgram(simple.words, { ...context, cwd }, findings)) return notReadOnly
  }
  return {
    readOnly: true,
    reads: findings.reads,
    trees: findings.trees,
    linkedTrees: findings.linkedTrees,
    programs: [...findings.programs],
    gitFolders: [...findings.gitFolders],
    byRule,
  }
}

function emptyFindings(): Findings {
  return { reads: [], trees: [], linkedTrees: [], programs: new Set(), gitFolders: new Set() }
}

/** The folder of a leading `cd DIR && ...` into a root; otherwise null. */
function changedFolder(parsed: ParsedCommand, index: number, context: CommandContext): string | null {
  const [program, target, ...more] = parsed.commands[index]?.words ?? []
  const next = parsed.commands[index + 1]?.precededBy
  if (index !== 0 || program?.text !== "cd" || target === undefined || more.length > 0) return null
  if (!isPlainWord(target) || target.text.startsWith("-") || (next !== undefined && next !== "&&")) return null
  const folder = absolute(target.text, context.cwd, context.home)
  return context.roots.some((root) => isInside(root, folder)) ? folder : null
}

/** Whether the program only reads; adds its files to the findings. */
function analyzeProgram(all: readonly Word[], context: CommandContext, findings: Findings): boolean {
  const words = transparent(all)
  const [first, ...args] = words ?? []
  // A lone bracket is not a pattern.
  if (first === undefined || (!isPlainWord(first) && first.text !== "[")) return false
  if (first.text === "git") return analyzeGit(args, context, findings)
  const program = Object.hasOwn(readOnlyCommands, first.text) ? readOnlyCommands[first.text] : undefined
  const reads = program === undefined ? null : operandPaths(args, program, context)
  if (program === undefined || reads === null) return false
  if (program.builtin !== true) findings.programs.add(first.text)
  findings.reads.push(...reads)
  if (program.recursive === true) findings.trees.push(context.cwd, ...reads)
  const { follows } = program
  if (follows !== undefined && args.some(({ text }) => follows.test(text)))
    findings.linkedTrees.push(context.cwd, ...reads)
  return true
}

function analyzeGit(words: readonly Word[], start: CommandContext, findings: Findings): boolean {
  const changed = applyFolderOptions(words, start)
  if (changed === null) return false
  const { args, context } = changed
  if (!args.every((word) => isSafeWord(word, {})) || !isReadOnlyGit(args.map(({ text }) => text))) return false
  const reads = pathsIn(args, context)
  if (!areTreesInRoots(reads, context)) return false
  findings.programs.add("git")
  findings.gitFolders.add(context.cwd)
  findings.reads.push(...reads)
  findings.trees.push(context.cwd, ...reads)
  return true
}

/** `git -C DIR` is `cd DIR && git`: into a root, or null. Not with `..`, which differs from a shell after a link. */
function applyFolderOptions(
  words: readonly Word[],
  context: CommandContext,
): { readonly args: readonly Word[]; readonly context: CommandContext } | null {
  const at = words.findIndex(({ text }) => text !== "--no-pager" && text !== "-P")
  const [option, target, ...rest] = words.slice(Math.max(0, at))
  if (at < 0 || option?.text !== "-C") return { args: words, context }
  if (target === undefined || !isPlainWord(target) || target.text.split("/").includes("..")) return null
  const folder = absolute(target.text, context.cwd, context.home)
  if (!context.roots.some((root) => isInside(root, folder))) return null
  return applyFolderOptions([...words.slice(0, at), ...rest], { ...context, cwd: folder })
}

function operandPaths(
  args: readonly Word[],
  program: ReadOnlyCommand,
  context: CommandContext,
): readonly string[] | null {
  const { unless } = program
  if (unless !== undefined && Object.keys(context.env).some((name) => unless.test(name))) return null
  if (!args.every((word) => isSafeWord(word, program))) return null
  const first = args.findIndex(isOperand)
  // After the first operand, strict POSIX programs take no more options.
  if (program.operands !== undefined && first >= 0 && args.length - first > program.operands) return null
  const text = args[first]?.text
  if (program.script && !(text === undefined ? program.operands !== undefined : program.script.test(text))) return null
  // Its arguments are text.
  if (program.text === true) return []
  const { pattern, script } = program
  const isText = script !== undefined || (pattern !== undefined && !args.some((word) => pattern.test(word.text)))
  const reads = pathsIn(isText ? args.filter((_, at) => at !== first) : args, context)
  return program.recursive === true && !areTreesInRoots(reads, context) ? null : reads
}

/** Not an option: without a leading dash, or after `--`. */
function isOperand({ text }: Word, at: number, args: readonly Word[]): boolean {
  return !text.startsWith("-") || text === "-" || args.slice(0, at).some((before) => before.text === "--")
}

function isSafeWord(word: Word, { refuses, options, globs }: ReadOnlyCommand): boolean {
  const { text } = word
  if (!word.literal || refuses?.test(text) === true) return false
  if (options !== undefined && text.startsWith("-") && text !== "-" && text !== "--" && !options.test(text))
    return false
  if (word.tilde && !/^~(?:\/|$)/.test(text)) return false
  // `.s*` may expand to a hidden folder, and any pattern to an option.
  return !word.glob || (globs === true && !/(?:^|\/)\.[^/]*[*?[]|\.\.|^[~/-]/.test(text))
}

/** Options may contain a path after `=`; any other word counts as a path. */
function pathsIn(args: readonly Word[], context: CommandContext): readonly string[] {
  const end = args.findIndex(({ text }) => text === "--")
  return args.flatMap(({ text }, at) => {
    const isOption = text.startsWith("-") && (end < 0 || at <= end)
    const path = isOption ? text.replace(/^[^=]*=?/, "") : text
    return path === "" ? [] : [absolute(path, context.cwd, context.home)]
  })
}

/** Trees outside the roots, and trees with keys, need approval. */
function areTreesInRoots(reads: readonly string[], context: CommandContext): boolean {
  const trees = [context.cwd, ...reads]
  return trees.every((path) => {
    const inside = context.roots.some((root) => isInside(root, path))
    return inside && secretsBelow(path, context).length === 0
  })
}

function isPlainWord(word: Word): boolean {
  return word.literal && !word.glob && (!word.tilde || /^~(?:\/|$)/.test(word.text))
}
