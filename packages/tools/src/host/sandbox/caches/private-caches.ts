import type { Host } from "@gong/spec"
import { isInside, join, relativeTo } from "../../../posix-path.ts"
import { type PackageCache, packageCaches, installationOf, pathFolders } from "./caches.ts"
import type { Mount } from "../plan/mount.ts"
import type { SandboxOptions } from "../options.ts"

/** The caches that commands see instead of the user's. */
export interface PrivateCaches {
  readonly paths: readonly string[]
  /** The current mounts, on top of the roots. */
  mounts(): Promise<readonly Mount[]>
}

/** Per pattern; a cache can contain more than can be mounted. */
const SHOWN_MAX = 50

/**
 * Mounts folders of Gong over the user's caches, because content written by a command must not be run by the user, nor
 * by commands of another workspace. They are stored below `options.caches`; without it each command starts with empty
 * caches.
 */
export async function privateCaches(host: Host, options: SandboxOptions): Promise<PrivateCaches> {
  const places = await presentCaches(host, await packageCaches(host, options))
  const each = await Promise.all(places.map((place) => privateCache(host, options.caches, place)))
  const wanted = places.filter(({ program }) => program === null)
  return {
    paths: places.map(({ path }) => path),
    async mounts() {
      // Temp folders are cleaned while sessions run.
      for (const { path } of wanted)
        if ((await host.stat(path).catch(() => null)) === null) await host.mkdir(path).catch(() => undefined)
      const mounts = await Promise.all(each.map((one) => one()))
      const stay = await Promise.all(
        places.map(async (place) => place.program !== null || (await isFolder(host, place.path))),
      )
      return mounts.filter((_, at) => stay[at]).flat()
    },
  }
}

/** Another user may have created a link in the temp folder. */
async function isFolder(host: Host, path: string): Promise<boolean> {
  return (await host.stat(path, { link: true }).catch(() => null))?.kind === "directory"
}

/**
 * Caches that exist, or were created because their program is installed. They are not removed again. A cache that
 * cannot be created is skipped.
 */
async function presentCaches(host: Host, places: readonly PackageCache[]): Promise<readonly PackageCache[]> {
  const isHere = async ({ path, program }: PackageCache): Promise<boolean> => {
    const there = await host.stat(path).catch(() => null)
    if (there !== null) return there.kind === "directory"
    if (program !== null && (await host.which(program)) === null) return false
    return host.mkdir(path).then(
      () => true,
      () => false,
    )
  }
  const here = await Promise.all(places.map(isHere))
  return places.filter((_, at) => here[at])
}

async function privateCache(
  host: Host,
  caches: string | null,
  place: PackageCache,
): Promise<() => Promise<readonly Mount[]>> {
  const { path, name } = place
  const own = caches === null ? null : join(caches, name)
  const made =
    own !== null &&
    (await host.mkdir(own).then(
      () => true,
      () => false,
    ))
  if (own === null || !made) return async () => [{ how: "empty", path }]
  const shown = [...new Set([...(await found(host, place)), ...programsIn(host, path)])]
  return async () => {
    const fit = await Promise.all(shown.map((one) => fits(host, own, relativeTo(path, one))))
    const inner = shown.filter((_, at) => fit[at]).map((one): Mount => ({ how: "read-only", path: one }))
    return [{ how: "own", path, from: own }, ...inner]
  }
}

/** Links are skipped: their targets are not part of the cache. */
async function found(host: Host, { path, shown }: PackageCache): Promise<readonly string[]> {
  const match = async (folder: string, [first, ...rest]: readonly string[]): Promise<readonly string[]> => {
    if (first === undefined) return [folder]
    if (first !== "*") return match(join(folder, first), rest)
    const entries = (await host.readdir(folder).catch(() => [])).filter(({ kind }) => kind !== "symlink")
    const names = entries.map(({ name }) => name).filter((one) => !one.endsWith(".lck"))
    return (await Promise.all(names.slice(0, SHOWN_MAX).map((one) => match(join(folder, one), rest)))).flat()
  }
  const all = await Promise.all(shown.map((pattern) => match(path, pattern.split("/"))))
  return all.flatMap((matches) => matches.slice(0, SHOWN_MAX))
}

/** Folders of the PATH inside a cache, which stay visible and read-only. */
function programsIn(host: Host, cache: string): readonly string[] {
  const inside = pathFolders(host).filter((folder) => folder !== cache && isInside(cache, folder))
  return inside.map((folder) => {
    const whole = installationOf(host.home, folder)
    return whole !== cache && isInside(cache, whole) ? whole : folder
  })
}

/** Whether a path can be mounted there: a command may have created a link on it or removed its own permissions. */
async function fits(host: Host, own: string, path: string): Promise<boolean> {
  let folder = own
  for (const name of path.split("/")) {
    const writable = await host.access(folder, "write").then(
      () => true,
      () => false,
    )
    folder = join(folder, name)
    const there = await host.stat(folder, { link: true }).catch(() => null)
    if (there === null) return writable
    if (there.kind === "symlink" || there.kind === "other") return false
  }
  return true
}
