import { deletedBy } from "./command/deletions.ts"
import { protectedFolderIn } from "./sensitive/protected-folders.ts"
import { baseName } from "./shell/inner-commands.ts"
import { evaluateScript } from "./shell/evaluate.ts"
import type { Start, State } from "./shell/state.ts"
import { type Fields, isKnown } from "./shell/value.ts"

/** The effect for which the guard refuses a command. */
export type DestructiveEffect =
  /** `what`: the deleted folder or disk, for a text. */
  | { readonly kind: "lost"; readonly what: string }
  /** An unknown folder would be deleted; `what` is the command. */
  | { readonly kind: "unknown"; readonly what: string }

/**
 * The irreversible deletion that a script would cause; null if none follows from its words. Applies at every level and overrides every allow rule.
 * It prevents accidents; the effect of a program's own code is unknown.
 */
export function destructiveEffect(text: string, start: Start): DestructiveEffect | null {
  if (forkBomb.test(text.slice(0, 10_000))) return { kind: "lost", what: "this machine's processes (a fork bomb)" }
  let found: DestructiveEffect | null = null
  const isComplete = evaluateScript(text, start, {
    command: (argv, state, source) => (found ??= effectOf(argv, state, source)),
    written(path) {
      if (isDisk(path)) found ??= { kind: "lost", what: `the disk ${path}` }
    },
  })
  return (
    found ?? (isComplete || !deletingWords.test(text) ? null : { kind: "unknown", what: "more than can be followed" })
  )
}

/** `f() { f | f & }; f`, with any name. */
const forkBomb = /([\w:.]{1,40})\s{0,9}\(\)\s{0,9}\{[^}]{0,200}?\1\s{0,9}\|\s{0,9}\1\s{0,9}&/

/** A script without any of these words contains no command that the guard checks. */
const deletingWords = /\b(?:rm|rimraf|mv|find|rsync|ch(?:mod|own|grp)|clean)\b/

function effectOf(argv: Fields, state: State, source: string): DestructiveEffect | null {
  const name = baseName(argv)
  const args = argv.slice(1)
  const disk = diskOf(name, args)
  if (disk !== undefined) return { kind: "lost", what: `the disk ${disk}` }
  if (name === "rm" && args.some((word) => word.startsWith("--no-pres")))
    return { kind: "lost", what: "the root folder" }
  const deletion = deletedBy(name, args)
  if (deletion === null) return null
  for (const path of deletion.paths) {
    const protectedFolder = protectedFolderIn(path, state, deletion.canIncludeRoots)
    if (protectedFolder !== null)
      return protectedFolder.what === null
        ? { kind: "unknown", what: source }
        : { kind: "lost", what: protectedFolder.what }
  }
  return null
}

function diskOf(name: string, args: Fields): string | undefined {
  if (/^(?:mkfs(?:\..+)?|mke2fs|wipefs|fdisk|sfdisk|sgdisk|parted|blkdiscard|shred|cryptsetup)$/.test(name))
    return args.find(isDisk)
  if (name !== "dd" && name !== "tee" && name !== "cp") return undefined
  return args.map((word) => word.replace(/^of=/, "")).find(isDisk)
}

function isDisk(text: string): boolean {
  return isKnown(text) && /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|dm-|md|loop|mem$|kmem$)/.test(text)
}
