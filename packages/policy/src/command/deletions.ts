import { gitWords } from "../rules.ts"
import { parseFind } from "../shell/inner-commands.ts"
import type { Fields } from "../shell/value.ts"
import { unknown } from "../shell/value.ts"

/** Files that a command deletes irreversibly, according to its words. */
export interface Deletion {
  readonly paths: Fields
  /** Whether the roots themselves may be among them without harm. */
  readonly canIncludeRoots: boolean
}

type Reads = (args: Fields) => Deletion | null

/** Programs that delete whole folders; null: these words delete none. */
const programs: Readonly<Record<string, Reads>> = {
  rm(args) {
    const paths = operands(args)
    // Every match of the search is deleted one by one.
    return {
      paths: isRecursive(args, /^-[^-]*[rR]|^--r/) ? paths : paths.filter((path) => path.endsWith("/**")),
      canIncludeRoots: false,
    }
  },
  rimraf: (args) => ({ paths: operands(args), canIncludeRoots: false }),
  chmod: changedModes,
  chown: changedModes,
  chgrp: changedModes,
  mv: (args) => ({ paths: moveSources(args), canIncludeRoots: false }),
  find: (args) =>
    args.some((word) => word === "-delete" || word === "rm")
      ? { paths: parseFind(args).starts, canIncludeRoots: true }
      : null,
  git(args) {
    const [verb, ...rest] = gitWords(["git", ...args])
    if (verb !== "clean") return null
    const at = args.indexOf("-C")
    const folder = at >= 0 && at < args.indexOf("clean") ? (args[at + 1] ?? ".") : "."
    const paths = operands(rest)
    return { paths: (paths.length === 0 ? ["."] : paths).map((path) => inFolder(folder, path)), canIncludeRoots: true }
  },
  rsync(args) {
    const deletes = args.some((word) => word.startsWith("--del"))
    const target = operands(args).at(-1)
    // Folders of another machine are unknown here.
    const isRemote = target !== undefined && /^[^/]*:|^rsync:/.test(target)
    return deletes && target !== undefined && !isRemote ? { paths: [target], canIncludeRoots: false } : null
  },
}

export function deletedBy(name: string, args: Fields): Deletion | null {
  return Object.hasOwn(programs, name) ? (programs[name]?.(args) ?? null) : null
}

function inFolder(folder: string, path: string): string {
  return path.startsWith("/") || folder === "." ? path : `${folder}/${path}`
}

/** An unknown option may be this one. */
function isRecursive(args: Fields, option: RegExp): boolean {
  const end = args.indexOf("--")
  return args.some(
    (word, at) => (end < 0 || at < end) && (option.test(word) || (word === unknown && at < args.length - 1)),
  )
}

function changedModes(args: Fields): Deletion | null {
  const reference = args.some((word) => word.startsWith("--ref"))
  const paths = operands(args)
  return isRecursive(args, /^-[^-]*R|^--rec/)
    ? { paths: reference ? paths : paths.slice(1), canIncludeRoots: true }
    : null
}

function operands(args: Fields): Fields {
  const end = args.indexOf("--")
  return args.filter((word, at) => (end >= 0 && at > end) || !word.startsWith("-"))
}

/** All but the target, which may come first (`-t`). */
function moveSources(args: Fields): Fields {
  const target = args.findIndex((word) => /^-[a-zA-Z]*t$|^--target-directory$/.test(word))
  if (target >= 0) return operands(args.filter((_, at) => at !== target + 1))
  return args.some((word) => /^--target-directory=|^-t./.test(word)) ? operands(args) : operands(args).slice(0, -1)
}
