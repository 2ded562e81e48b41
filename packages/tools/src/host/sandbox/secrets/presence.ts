import type { Host } from "@gong/spec"
import { join } from "../../../posix-path.ts"

/** A path that is there. */
export interface Present {
  /** As it was asked for, from the base. */
  readonly path: string
  /** With links followed. */
  readonly real: string
}

/** A change within this time before a look may not show in the times of the folder: file systems count in steps. */
const UNSETTLED_MS = 2000

/** So many names are quicker looked for than found in a list of all. */
const FEW = 2

export function isSettled(changedMs: number): boolean {
  return Date.now() - changedMs > UNSETTLED_MS
}

/**
 * Of many paths below a folder, given from it, those that are there. Looks into the folders that lead to them, and again
 * only into those that changed since: a hundred paths cost as much as the few folders above them.
 */
export function createPresence(host: Host, base: string, paths: readonly string[]): () => Promise<readonly Present[]> {
  const tree = treeOf(paths)
  const known = new Map<string, Names>()
  return async () => {
    const real = await host.realpath(base).catch(() => null)
    return real === null ? [] : lookInto(host, known, real, tree)
  }
}

/** What is asked for by its name: itself, or something below it. */
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

/** Also in a folder that may be entered and not listed. */
async function lookFor(host: Host, folder: string, wanted: readonly string[]): Promise<Names["names"]> {
  const names = new Map<string, boolean>()
  for (const name of wanted) {
    const found = await host.stat(join(folder, name), { link: true }).catch(() => null)
    if (found !== null) names.set(name, found.kind === "symlink")
  }
  return names
}
