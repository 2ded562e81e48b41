import type { ParsedCommand, Simple, Word } from "./command.ts"
import { gitReads } from "../git/read-only-git.ts"
import { absolute, isInside } from "../paths.ts"
import { secretsBelow } from "../sensitive/secrets.ts"
import { type ReadOnlyCommand, readOnlyCommands } from "./read-only-commands.ts"
import { transparent } from "./unwrap.ts"

export interface Place {
  /** The command's working directory. */
  readonly cwd: string
  readonly home: string
  readonly gongHome: string
  /** The environment of commands: some variables name key locations, or make a program run another. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly roots: readonly string[]
}

export interface ReadOnlyAnswer {
  /** The words guarantee that nothing is written, run or sent. */
  readonly readOnly: boolean
  /** Files and folders that it reads, absolute; the caller checks whether they are secret. */
  readonly reads: readonly string[]
  /** Those of them that are searched recursively. */
  readonly trees: readonly string[]
  /** Trees in which links are followed; the caller checks whether one leads outside. */
  readonly followed: readonly string[]
  /** Programs by name; the caller checks whether the right ones are found. */
  readonly programs: readonly string[]
  /** Folders in which git starts; the caller checks whether its settings run something. */
  readonly gitIn: readonly string[]
  /** Parts that are allowed only by `known`. */
  readonly ruled: boolean
}

interface Found {
  readonly reads: string[]
  readonly trees: string[]
  readonly followed: string[]
  readonly programs: Set<string>
  readonly gitIn: Set<string>
}

const no: ReadOnlyAnswer = {
  readOnly: false,
  reads: [],
  trees: [],
  followed: [],
  programs: [],
  gitIn: [],
  ruled: false,
}

/**
 * Whether a command certainly only reads. In doubt it does not, which costs a question; a wrong yes would cost a file. `known`
 * accepts further commands (allow rules).
 */
export function readsOnly(parsed: ParsedCommand, place: Place, known: (simple: Simple) => boolean): ReadOnlyAnswer {
  if (!parsed.understood || parsed.commands.length === 0) return no
  const found = nothing()
  let cwd = place.cwd
  let ruled = false
  for (const [index, simple] of parsed.commands.entries()) {
    if (!simple.targets.every((word) => word.literal && word.text === "/dev/null")) return no
    const moved = changeOfFolder(parsed, index, { ...place, cwd })
    if (moved !== null) cwd = moved
    else if (known(simple)) ruled ||= !judge(simple.words, { ...place, cwd }, nothing())
    else if (!judge(simple.words, { ...place, cwd }, found)) return no
  }
  return {
    readOnly: true,
    reads: found.reads,
    trees: found.trees,
    followed: found.followed,
    programs: [...found.programs],
    gitIn: [...found.gitIn],
    ruled,
  }
}

function nothing(): Found {
  return { reads: [], trees: [], followed: [], programs: new Set(), gitIn: new Set() }
}

/** The folder of a leading `cd DIR && ...` into a root; otherwise null. */
function changeOfFolder(parsed: ParsedCommand, index: number, place: Place): string | null {
  const [program, target, ...more] = parsed.commands[index]?.words ?? []
  const next = parsed.commands[index + 1]?.after
  if (index !== 0 || program?.text !== "cd" || target === undefined || more.length > 0) return null
  if (!plain(target) || target.text.startsWith("-") || (next !== undefined && next !== "&&")) return null
  const folder = absolute(target.text, place.cwd, place.home)
  return place.roots.some((root) => isInside(root, folder)) ? folder : null
}

/** Whether the program only reads; adds its files to the findings. */
function judge(all: readonly Word[], place: Place, found: Found): boolean {
  const words = transparent(all)
  const [first, ...args] = words ?? []
  // A lone bracket is not a pattern.
  if (first === undefined || (!plain(first) && first.text !== "[")) return false
  if (first.text === "git") return judgeGit(args, place, found)
  const reader = Object.hasOwn(readOnlyCommands, first.text) ? readOnlyCommands[first.text] : undefined
  const reads = reader === undefined ? null : readsOf(args, reader, place)
  if (reader === undefined || reads === null) return false
  if (reader.builtin !== true) found.programs.add(first.text)
  found.reads.push(...reads)
  if (reader.recursive === true) found.trees.push(place.cwd, ...reads)
  const { follows } = reader
  if (follows !== undefined && args.some(({ text }) => follows.test(text))) found.followed.push(place.cwd, ...reads)
  return true
}

function judgeGit(words: readonly Word[], start: Place, found: Found): boolean {
  const moved = intoFolders(words, start)
  if (moved === null) return false
  const { args, place } = moved
  if (!args.every((word) => harmless(word, {})) || !gitReads(args.map(({ text }) => text))) return false
  const reads = pathsOf(args, place)
  if (!staysInside(reads, place)) return false
  found.programs.add("git")
  found.gitIn.add(place.cwd)
  found.reads.push(...reads)
  found.trees.push(place.cwd, ...reads)
  return true
}

/** `git -C DIR` is `cd DIR && git`: into a root, or null. Not with `..`, which differs from a shell after a link. */
function intoFolders(
  words: readonly Word[],
  place: Place,
): { readonly args: readonly Word[]; readonly place: Place } | null {
  const at = words.findIndex(({ text }) => text !== "--no-pager" && text !== "-P")
  const [option, target, ...rest] = words.slice(Math.max(0, at))
  if (at < 0 || option?.text !== "-C") return { args: words, place }
  if (target === undefined || !plain(target) || target.text.split("/").includes("..")) return null
  const folder = absolute(target.text, place.cwd, place.home)
  if (!place.roots.some((root) => isInside(root, folder))) return null
  return intoFolders([...words.slice(0, at), ...rest], { ...place, cwd: folder })
}

function readsOf(args: readonly Word[], reader: ReadOnlyCommand, place: Place): readonly string[] | null {
  const { unless } = reader
  if (unless !== undefined && Object.keys(place.env).some((name) => unless.test(name))) return null
  if (!args.every((word) => harmless(word, reader))) return null
  const first = args.findIndex(isOperand)
  // After the first operand, strict POSIX programs take no more options.
  if (reader.operands !== undefined && first >= 0 && args.length - first > reader.operands) return null
  const text = args[first]?.text
  if (reader.script && !(text === undefined ? reader.operands !== undefined : reader.script.test(text))) return null
  // Its arguments are text.
  if (reader.text === true) return []
  const { pattern, script } = reader
  const isText = script !== undefined || (pattern !== undefined && !args.some((word) => pattern.test(word.text)))
  const reads = pathsOf(isText ? args.filter((_, at) => at !== first) : args, place)
  return reader.recursive === true && !staysInside(reads, place) ? null : reads
}

/** Not an option: without a leading dash, or after `--`. */
function isOperand({ text }: Word, at: number, args: readonly Word[]): boolean {
  return !text.startsWith("-") || text === "-" || args.slice(0, at).some((before) => before.text === "--")
}

function harmless(word: Word, { refuses, options, globs }: ReadOnlyCommand): boolean {
  const { text } = word
  if (!word.literal || refuses?.test(text) === true) return false
  if (options !== undefined && text.startsWith("-") && text !== "-" && text !== "--" && !options.test(text))
    return false
  if (word.tilde && !/^~(?:\/|$)/.test(text)) return false
  // `.s*` may expand to a hidden folder, and any pattern to an option.
  return !word.glob || (globs === true && !/(?:^|\/)\.[^/]*[*?[]|\.\.|^[~/-]/.test(text))
}

/** Options may contain a path after `=`; any other word counts as a path. */
function pathsOf(args: readonly Word[], place: Place): readonly string[] {
  const end = args.findIndex(({ text }) => text === "--")
  return args.flatMap(({ text }, at) => {
    const isOption = text.startsWith("-") && (end < 0 || at <= end)
    const path = isOption ? text.replace(/^[^=]*=?/, "") : text
    return path === "" ? [] : [absolute(path, place.cwd, place.home)]
  })
}

/** Trees outside the roots, and trees with keys, need approval. */
function staysInside(reads: readonly string[], place: Place): boolean {
  const trees = [place.cwd, ...reads]
  return trees.every((path) => {
    const inside = place.roots.some((root) => isInside(root, path))
    return inside && secretsBelow(path, place).length === 0
  })
}

function plain(word: Word): boolean {
  return word.literal && !word.glob && (!word.tilde || /^~(?:\/|$)/.test(word.text))
}
