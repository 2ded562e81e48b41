import { ownFolder } from "../folders.ts"
import type { ParsedCommand, Word } from "./command.ts"
import { absolute, isInside } from "./paths.ts"
import type { Place } from "./readonly.ts"
import { gitWords } from "./rules.ts"
import { allRuns, nameOf } from "./unwrap.ts"

/**
 * What would be destroyed for good, for people; null when nothing of the kind is plain from the words. Holds at every
 * level and against every allow rule. A net for accidents: it cannot see what a program does inside.
 */
export function catastrophe(text: string, parsed: ParsedCommand, place: Place): string | null {
  if (forkBomb.test(text.slice(0, 10_000))) return "this machine's processes (a fork bomb)"
  let cwd: string | null = place.cwd
  for (const simple of parsed.commands) {
    const here = { ...place, cwd }
    const device = simple.targets.find((word) => isDisk(word.text))
    if (device !== undefined) return `the disk ${device.text}`
    for (const words of allRuns(simple).all) {
      const found = judge(words, here)
      if (found !== null) return found
    }
    if (simple.words[0]?.text === "cd") cwd = moved(simple.words[1], here)
  }
  return null
}

/** `f() { f | f & }; f`, whatever it is called. */
const forkBomb = /([\w:.]{1,40})\s{0,9}\(\)\s{0,9}\{[^}]{0,200}?\1\s{0,9}\|\s{0,9}\1\s{0,9}&/

/** Null once it is not known where the command stands. */
type Here = Omit<Place, "cwd"> & { readonly cwd: string | null }

function judge(words: readonly Word[], here: Here): string | null {
  const name = nameOf(words)
  const args = words.slice(1)
  const targets = args.filter((word) => !word.text.startsWith("-"))
  if (/^(?:mkfs(?:\..+)?|mke2fs|wipefs|fdisk|sfdisk|sgdisk|parted|blkdiscard|shred|cryptsetup)$/.test(name)) {
    const disk = targets.find((word) => isDisk(word.text))
    return disk === undefined ? null : `the disk ${disk.text}`
  }
  if (name === "dd" || name === "tee" || name === "cp") {
    const disk = args.find((word) => isDisk(word.text.replace(/^of=/, "")) && !word.text.startsWith("if="))
    return disk === undefined ? null : `the disk ${disk.text.replace(/^of=/, "")}`
  }
  if (name === "rm") {
    if (args.some((word) => word.text.startsWith("--no-pres"))) return "the root folder"
    return has(args, /^-[^-]*[rR]|^--r/) ? firstPrecious(targets, here) : null
  }
  if (/^(?:chmod|chown|chgrp)$/.test(name))
    return has(args, /^-[^-]*R|^--rec/) ? firstPrecious(targets.slice(1), here, true) : null
  if (name === "mv") return firstPrecious(targets.slice(0, -1), here)
  if (name === "find") return has(args, /^-delete$|^rm$/) ? firstPrecious(startsOf(args), here, true) : null
  if (name === "git" && gitWords(words.map((word) => word.text))[0] === "clean") {
    return firstPrecious(
      targets.filter((word) => word.text !== "clean"),
      here,
      true,
    )
  }
  return null
}

function has(args: readonly Word[], option: RegExp): boolean {
  return args.some((word) => option.test(word.text))
}

function startsOf(args: readonly Word[]): readonly Word[] {
  const end = args.findIndex((word) => word.text.startsWith("-"))
  return args.slice(0, end < 0 ? args.length : end)
}

/** `wide`: only root, home and what holds them; the workspace itself may be cleaned or given other modes. */
function firstPrecious(targets: readonly Word[], here: Here, wide = false): string | null {
  for (const word of targets) {
    const found = precious(word, here, wide)
    if (found !== null) return found
  }
  return null
}

function precious(word: Word, here: Here, wide: boolean): string | null {
  const known = word.text
    .replace(/^(?:\$HOME|\$\{HOME\})(?=\/|$)/, here.home)
    .replace(/^(?:\$PWD|\$\{PWD\})(?=\/|$)/, here.cwd ?? "$PWD")
  // "$DIR"/* is /* when DIR is empty: the accident that took whole machines.
  if (/^\$(?:\w+|\{\w+\})\/+\**$/.test(known)) return `everything, should ${word.text.split("/")[0]} be empty`
  const folder = known.replace(/(?:\/|^)(?:\.?\*|\.\[!?\^?\.\]\*|\{,\.\}\*)$/, (end) =>
    end.startsWith("/") ? "/" : ".",
  )
  if (here.cwd === null && !/^[/~]/.test(folder)) return null
  const path = absolute(folder, here.cwd ?? "/", here.home)
  if (isInside(path, here.home) || path === "/")
    return path === here.home ? "the home folder" : path === "/" ? "the root folder" : path
  if (/^\/[^/]+$/.test(path) && !here.roots.includes(path)) return wide ? null : path
  if (wide) return null
  const root = here.roots.find((one) => isInside(path, one) || path === `${one}/.git` || path === `${one}/${ownFolder}`)
  return root === undefined ? null : path
}

function moved(target: Word | undefined, here: Here): string | null {
  if (target === undefined) return here.home
  const sure = target.literal && !target.glob && (here.cwd !== null || /^[/~]/.test(target.text))
  const path = sure ? absolute(target.text, here.cwd ?? "/", here.home) : null
  // No system takes a longer path, and ten thousand `cd a` must not cost ten thousand long ones.
  return path === null || path.length > 4096 ? null : path
}

function isDisk(text: string): boolean {
  return /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|dm-|md|loop|mem$|kmem$)/.test(text)
}
