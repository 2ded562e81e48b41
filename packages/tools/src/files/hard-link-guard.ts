import type { Host, HostStat } from "@gong/spec"
import { type Place, rootsOf } from "../paths.ts"
import { dirname, join } from "../posix-path.ts"
import { Refusal } from "../result.ts"

/** Names checked before a link outside the roots is assumed. */
const MAX_NAMES = 20_000

/**
 * A file with hard links is written in place, which changes it under all its names. If the session has roots, all names
 * must be inside them.
 */
export async function refuseOutsideHardLinks(
  host: Host,
  place: Place,
  path: string,
  typed: string,
  found: HostStat,
): Promise<void> {
  const roots = rootsOf(place)
  if (found.links < 2 || roots === undefined || roots === "anywhere") return
  if (await hasAllNames(host, [dirname(path), ...roots], found)) return
  throw new Refusal(
    `Refused: ${typed} has another name (hard link) outside the workspace, and writing it would change that file too. To give it bytes of its own, copy it and move the copy over it (cp -p, then mv); then repeat.`,
    "refused",
  )
}

async function hasAllNames(host: Host, roots: readonly string[], found: HostStat): Promise<boolean> {
  const folders = new Set<string>()
  for (const root of roots) if ((await host.stat(root))?.kind === "directory") folders.add(root)
  const names = new Set<string>()
  let looked = 0
  // Iterating a set includes elements added meanwhile.
  for (const folder of folders) {
    for (const { name, kind } of await host.readdir(folder).catch(() => [])) {
      const path = join(folder, name)
      if (++looked > MAX_NAMES) return false
      if (kind === "directory") folders.add(path)
      if (kind === "file" && (await host.stat(path, { link: true }))?.id === found.id) names.add(path)
      if (names.size === found.links) return true
    }
  }
  return false
}
