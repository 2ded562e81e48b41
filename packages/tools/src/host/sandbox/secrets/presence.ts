import type { Host } from "@gong/spec"
import { join } from "../../../posix-path.ts"

/** An existing path. */
export interface Present {
  /** As requested, relative to the base. */
  readonly path: string
  /** With links resolved. */
  readonly real: string
}

/** A change within this time may not show in the folder's timestamps, because file systems round them. */
const UNSETTLED_MS = 2000

/** Up to this number of names, a stat of each is faster than listing the folder. */
const FEW = 2

export function isSettled(changedMs: number): boolean {
  return Date.now() - changedMs > UNSETTLED_MS
}

/**
 * Finds which of many paths below a folder exist. Reads the folders on the way, and again only those that changed, so a
 * hundred paths cost as much as their few parent folders.
 */
export function createPresence(host: Host, base: string, paths: readonly string[]): () => Promise<readonly Present[]> {
  const tree = treeOf(paths)
  const known = new Map<string, Names>()
  return async () => {
    const real = await host.realpath(base).catch(() => null)
    return real === null ? [] : lookInto(host, known, real, tree)
  }
}

/** A requested path, or a folder on the way to one. */
interface Branch {
  path: string | null
  readonly below: Map<string, Branch>
}

function treeOf(paths: readonly string[]): Branch {
  const top: Branch = { path: null, below: new Map() }
  for (const path of paths) {
    let at = top
    for (const name of path.split("/")) {
      const next = at.below.get(name) ?? { path: null, below: new Map() }
      at.below.set(name, next)
      at = next
    }
    at.path = path
  }
  return top
}

async function lookInto(
  host: Host,
  known: Map<string, Names>,
  folder: string,
  { below }: Branch,
): Promise<readonly Present[]> {
  const names = await namesIn(host, known, folder, [...below.keys()])
  const found = [...below].map(async ([name, branch]): Promise<readonly Present[]> => {
    const isLink = names.get(name)
    if (isLink === undefined) return []
    const path = join(folder, name)
    const real = isLink ? await host.realpath(path).catch(() => null) : path
    if (real === null) return []
    const own = branch.path === null ? [] : [{ path: branch.path, real }]
    return branch.below.size === 0 ? own : [...own, ...(await lookInto(host, known, real, branch))]
  })
  return (await Promise.all(found)).flat()
}

interface Names {
  readonly changed: number
  /** Whether each is a link. */
  readonly names: ReadonlyMap<string, boolean>
}

const none: Names["names"] = new Map()

async function namesIn(
  host: Host,
  known: Map<string, Names>,
  folder: string,
  wanted: readonly string[],
): Promise<Names["names"]> {
  if (wanted.length <= FEW) return lookFor(host, folder, wanted)
  const stat = await host.stat(folder).catch(() => null)
  if (stat?.kind !== "directory") return none
  const before = known.get(folder)
  if (before?.changed === stat.ctimeMs) return before.names
  const entries = await host.readdir(folder).catch(() => null)
  if (entries === null) return lookFor(host, folder, wanted)
  const names = new Map(entries.map(({ name, kind }) => [name, kind === "symlink"]))
  if (isSettled(stat.ctimeMs)) known.set(folder, { changed: stat.ctimeMs, names })
  return names
}

/** Also for folders that can be entered but not listed. */
async function lookFor(host: Host, folder: string, wanted: readonly string[]): Promise<Names["names"]> {
  const names = new Map<string, boolean>()
  for (const name of wanted) {
    const found = await host.stat(join(folder, name), { link: true }).catch(() => null)
    if (found !== null) names.set(name, found.kind === "symlink")
  }
  return names
}
