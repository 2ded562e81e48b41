import type { ParsedCommand, Simple, Word } from "./command.ts"
import { absolute, isInside, secretsBelow } from "./paths.ts"
import { transparent } from "./unwrap.ts"

export interface Place {
  /** Where the command starts. */
  readonly cwd: string
  readonly home: string
  readonly gongHome: string
  readonly roots: readonly string[]
}

/** How the words of one program must look so that it only reads. */
interface Program {
  /** An option that makes it write, run something, follow links or never end. */
  readonly refuses?: RegExp
  /** Shows names and numbers only: with file patterns a link among the files could not give away what it leads to. */
  readonly globs?: true
  /** Looks at whole trees. */
  readonly recursive?: true
}

const programs: Readonly<Record<string, Program>> = {
  ls: { globs: true },
  wc: { globs: true, refuses: /^--f/ },
  echo: { globs: true },
  pwd: {},
  true: {},
  cat: {},
  head: {},
  tail: { refuses: /^-[^-]*[fF]|^--[frp]/ },
  // -z runs decompressors, -L follows links, the long ones run what they name or read it as patterns.
  rg: { recursive: true, refuses: /^--(?:pre|hostname-bin|search-zip|follow|file(?:=|$))|^-[^-]*[zfL]/ },
}

const gitVerbs = new Set(["status", "diff", "log", "show"])
/** Options that write, run a program or leave the repository. Git takes their beginnings too. */
const gitRefuses = ["--output", "--ext-diff", "--show-signature", "--no-index"]

export interface ReadOnlyAnswer {
  /** Certain that nothing is written, run or sent. */
  readonly readOnly: boolean
  /** Files and folders that it looks at, absolute: whether they are secret is for the caller to say. */
  readonly reads: readonly string[]
}

const no: ReadOnlyAnswer = { readOnly: false, reads: [] }

/**
 * Whether a command certainly only reads. Anything doubtful is a no, and costs a question; a wrong yes would cost a file.
 * `known` says yes to further commands (allow rules).
 */
export function readsOnly(parsed: ParsedCommand, place: Place, known: (simple: Simple) => boolean): ReadOnlyAnswer {
  if (!parsed.understood || parsed.commands.length === 0) return no
  const reads: string[] = []
  let cwd = place.cwd
  for (const [index, simple] of parsed.commands.entries()) {
    if (!simple.targets.every((word) => word.literal && word.text === "/dev/null")) return no
    const moved = changeOfFolder(parsed, index, { ...place, cwd })
    if (moved !== null) cwd = moved
    else if (!known(simple)) {
      const found = judge(simple.words, { ...place, cwd }, cwd === place.cwd)
      if (found === null) return no
      reads.push(...found)
    }
  }
  return { readOnly: true, reads }
}

/** `cd DIR && ...` as the beginning, into a root: the folder; else null. */
function changeOfFolder(parsed: ParsedCommand, index: number, place: Place): string | null {
  const [program, target, ...more] = parsed.commands[index]?.words ?? []
  const next = parsed.commands[index + 1]?.after
  if (index !== 0 || program?.text !== "cd" || target === undefined || more.length > 0) return null
  if (!plain(target) || target.text.startsWith("-") || (next !== undefined && next !== "&&")) return null
  const folder = absolute(target.text, place.cwd, place.home)
  return place.roots.some((root) => isInside(root, folder)) ? folder : null
}

/** What the program looks at, or null when it may do more than look. */
function judge(all: readonly Word[], place: Place, atStart: boolean): readonly string[] | null {
  const words = transparent(all)
  const [first, ...args] = words ?? []
  if (first === undefined || !plain(first)) return null
  if (first.text === "git") return atStart || place.roots.includes(place.cwd) ? judgeGit(args, place) : null
  const program = Object.hasOwn(programs, first.text) ? programs[first.text] : undefined
  if (program === undefined) return null
  if (!args.every((word) => harmless(word, program))) return null
  // What echo gets is only repeated.
  if (first.text === "echo") return []
  const reads = args.flatMap((word) => readsOf(word, place))
  return program.recursive === true && !staysInside(reads, place) ? null : reads
}

function harmless(word: Word, program: Program): boolean {
  if (!word.literal || program.refuses?.test(word.text) === true) return false
  if (word.tilde && !/^~(?:\/|$)/.test(word.text)) return false
  // `.s*` may become the name of a hidden folder.
  return !word.glob || (program.globs === true && !/(?:^|\/)\.[^/]*[*?[]|\.\.|^[~/-]/.test(word.text))
}

function judgeGit(args: readonly Word[], place: Place): readonly string[] | null {
  const verb = args.findIndex(({ text }) => text !== "--no-pager" && text !== "-P")
  if (verb < 0 || !gitVerbs.has(args[verb]?.text ?? "") || !args.every((word) => word.literal)) return null
  const rest = args.slice(verb + 1)
  if (!rest.every((word) => harmless(word, {}) && !refusedByGit(word.text))) return null
  const reads = rest.flatMap((word) => readsOf(word, place))
  return staysInside(reads, place) ? reads : null
}

function refusedByGit(text: string): boolean {
  const [name = ""] = text.split("=", 1)
  // %G in a format runs gpg.
  if (/^-O|%G/.test(text) || name.startsWith("--output")) return true
  return name.length > 2 && gitRefuses.some((option) => option.startsWith(name))
}

/** Options may carry a path behind `=`; what begins with no dash is taken for one, whether it is or not. */
function readsOf(word: Word, place: Place): readonly string[] {
  const text = word.text.startsWith("-") ? word.text.replace(/^[^=]*=?/, "") : word.text
  return text === "" ? [] : [absolute(text, place.cwd, place.home)]
}

/** Trees outside the roots, and trees in which keys lie, are not searched unasked. */
function staysInside(reads: readonly string[], place: Place): boolean {
  const trees = [place.cwd, ...reads]
  return trees.every((path) => {
    const inside = place.roots.some((root) => isInside(root, path))
    return inside && secretsBelow(path, place.home, place.gongHome).length === 0
  })
}

function plain(word: Word): boolean {
  return word.literal && !word.glob && (!word.tilde || /^~(?:\/|$)/.test(word.text))
}
