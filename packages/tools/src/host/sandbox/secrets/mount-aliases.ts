import { readFileSync } from "node:fs"
import { isInside, join } from "../../../posix-path.ts"
import { lstatOf } from "../disk.ts"

/** A mounted part of a file system. */
interface Mounted {
  readonly device: string
  /** The folder of the file system that is mounted. */
  readonly part: string
  /** The mount point. */
  readonly at: string
}

/**
 * Further paths of the same file if its file system is mounted more than once: by `--bind`, as a snapshot, or in an
 * image-based system.
 */
export function createMountAliases(): () => (path: string) => readonly string[] {
  let known = ""
  let mounts: readonly Mounted[] = []
  return () => {
    const table = attempted(() => readFileSync("/proc/self/mountinfo", "utf8")) ?? ""
    if (table !== known) {
      known = table
      mounts = severalTimes(parse(table))
    }
    return (path) => (mounts.length === 0 ? [] : mountAliases(mounts, path))
  }
}

function mountAliases(mounts: readonly Mounted[], path: string): readonly string[] {
  const own = innermost(mounts, path)
  if (own === undefined) return []
  const inner = join(own.part, `.${path.slice(own.at === "/" ? 0 : own.at.length)}`)
  const same = mounts.filter(({ device }) => device === own.device)
  const found = same.flatMap(({ part, at }) => {
    if (isInside(part, inner)) return [join(at, `.${inner.slice(part === "/" ? 0 : part.length)}`)]
    return isInside(inner, part) ? [at] : []
  })
  return [...new Set(found)].filter((one) => one !== path && !isInside(path, one) && isSame(mounts, own, one))
}

/** Another mount may hide such a path. */
function isSame(mounts: readonly Mounted[], { device }: Mounted, path: string): boolean {
  return innermost(mounts, path)?.device === device && lstatOf(path) !== null
}

/** The last mount at a path is visible. */
function innermost(mounts: readonly Mounted[], path: string): Mounted | undefined {
  const around = mounts.filter(({ at }) => isInside(at, path))
  return around.reduce<Mounted | undefined>(
    (best, one) => (best && best.at.length > one.at.length ? best : one),
    undefined,
  )
}

/** `36 35 98:0 /part /place rw master:1 - ext4 /dev/root rw`, blanks as `\040`. */
function parse(table: string): readonly Mounted[] {
  return table.split("\n").flatMap((line) => {
    const [, , device, part, at] = line.split(" ")
    if (device === undefined || part === undefined || at === undefined) return []
    return [{ device, part: unescaped(part), at: unescaped(at) }]
  })
}

function unescaped(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
}

/** Empty if each file system is mounted once, as on most machines. */
function severalTimes(mounts: readonly Mounted[]): readonly Mounted[] {
  return new Set(mounts.map(({ device }) => device)).size === mounts.length ? [] : mounts
}

function attempted<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
