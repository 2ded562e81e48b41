import { isInside, parentOf } from "../paths.ts"
import { findMatches, plainName } from "./inner-commands.ts"
import { joinedPath } from "./joined-path.ts"
import { lookup, type State } from "./state.ts"
import { bounded, type Fields, isKnown, unknown } from "./value.ts"

/** The output of a program, if it follows from its words; otherwise unknown. */
export function outputOf(
  [program = "", ...args]: Fields,
  state: State,
  files: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const name = program.slice(program.lastIndexOf("/") + 1)
  const words = args.filter((word) => !word.startsWith("-"))
  const lines = (found: readonly string[]): readonly string[] => [found.join("\n")]
  switch (name) {
    case "echo":
      return echoed(/^-[neE]+$/.test(args[0] ?? "") ? args.slice(1) : args)
    case "pwd":
      return state.cwd
    case "dirname":
      return lines(words.map((path) => (isKnown(path) ? folderOf(path) : unknown)))
    case "basename":
      return lines(
        words.slice(0, 1).map((path) => path.replace(/\/+$/, "").slice(path.replace(/\/+$/, "").lastIndexOf("/") + 1)),
      )
    case "realpath":
    case "readlink":
      return texts(words.flatMap((path) => state.cwd.map((cwd) => joinedPath(cwd, path))))
    case "mktemp":
      return mktempOutput(args, state)
    case "which":
      return lines(words.map((word) => `/usr/bin/${word}`))
    case "command":
      return /^-[vV]$/.test(args[0] ?? "") ? lines(args.slice(1)) : [unknown]
    case "whoami":
    case "logname":
      return lookup(state, "USER").map((fields) => fields.join(" "))
    case "ls":
      return lines(args.some((word) => /^-\w*d/.test(word)) ? (words.length === 0 ? ["."] : words) : namesOf(words))
    case "find":
      return lines(findMatches(args))
    case "git":
      return args.join(" ") === "rev-parse --show-toplevel" ? topLevel(state) : [unknown]
    case "cat":
    case "head":
    case "tail":
    case "sort":
    case "uniq":
    case "tac":
    case "tee":
    case "grep":
      // Its input, or a part of it.
      if (words.length === 0 || (name === "grep" && words.length === 1) || name === "tee") return state.stdin
      return words.length === 1 ? (files.get(plainName(words[0])) ?? [unknown]) : [unknown]
    default:
      return withoutOutput.has(name) ? [""] : withNumericOutput.has(name) ? ["1"] : [unknown]
  }
}

const withoutOutput = new Set(
  "true false : test [ mkdir rmdir rm mv cp ln touch chmod chown sleep kill wait shopt ulimit umask alias".split(" "),
)
/** Numbers and dates, which are not paths. */
const withNumericOutput = new Set("date nproc wc seq".split(" "))

function texts(found: readonly string[]): readonly string[] {
  return bounded(found.map((text) => [text])).map(([text = ""]) => text)
}

function folderOf(path: string): string {
  const bare = path.replace(/(?<=[^/])\/+$/, "")
  return bare.includes("/") ? parentOf(bare) : "."
}

/** Names of files, and names in a folder without the folder. */
function namesOf(words: readonly string[]): readonly string[] {
  return words.length === 0 ? ["*"] : words.map((word) => (/\.\w+$/.test(word) ? word : unknown))
}

/** A new file or folder with an unknown name. */
function mktempOutput(args: Fields, state: State): readonly string[] {
  const folder = lookup(state, "TMPDIR").map((fields) => fields.join(" "))
  const at = args.findIndex((word) => /^(?:-p|--tmpdir)/.test(word))
  const given =
    at < 0
      ? undefined
      : (/^(?:-p|--tmpdir=)(.+)/.exec(args[at] ?? "")?.[1] ?? (args[at] === "-p" ? args[at + 1] : undefined))
  const name =
    args.find((word, index) => /X{3}/.test(word) && (at < 0 || index !== at + 1))?.replaceAll(/X{3,}/g, "gong") ??
    "tmp.gong"
  const recordCreated = (paths: readonly string[]): readonly string[] => {
    for (const path of paths) for (const cwd of state.cwd) state.createdFolders.add(joinedPath(cwd, path))
    return paths
  }
  const isHere = name.includes("/") || (at < 0 && name !== "tmp.gong" && !args.some((word) => /^-\w*t/.test(word)))
  return recordCreated(isHere ? [name] : (given === undefined ? folder : [given]).map((path) => `${path}/${name}`))
}

/** The top of the repository, for known folders. */
function topLevel(state: State): readonly string[] {
  const { roots } = state.start
  return texts(state.cwd.map((cwd) => roots.find((root) => isInside(root, cwd)) ?? unknown))
}

/** The output of `printf`. */
export function printfOutput([format = "", ...args]: Fields): readonly string[] {
  const rest = [...args]
  const once = (): string =>
    format.replaceAll(
      /%%|%[-+ 0#']*\d*(?:\.\d+)?([a-zA-Z])|\\([ntr0])/g,
      (whole, kind: string | undefined, escape: string | undefined) => {
        if (whole === "%%") return "%"
        if (escape !== undefined) return escape === "t" ? "\t" : "\n"
        const given = rest.shift() ?? ""
        return kind === "s" || kind === "b" || kind === "q" ? given : "1"
      },
    )
  let text = once()
  for (let times = 0; rest.length > 0 && times < 100 && format.includes("%"); times++) text += once()
  return [rest.length > 0 && format.includes("%") ? unknown : text]
}

/** A pattern matches one path, or several: then the first and the last of them are different words. */
function echoed(words: readonly string[]): readonly string[] {
  const several = words.flatMap((word) => (/[*?[]/.test(word) ? [word, word] : [word]))
  return several.length === words.length ? [words.join(" ")] : [words.join(" "), several.join(" ")]
}
