import type { Host } from "@gong/spec"
import { isInside } from "@gong/policy/paths"

/** Entries of a tree that are looked at; a command that reads them all takes far longer. */
const maxEntries = 50_000

/**
 * Whether a symbolic link in `folder`, a real path, or below it leads out of it. True also where there are too many entries to
 * look at, or a folder cannot be listed. A link that leads nowhere shows nothing, and a file holds none.
 */
export async function hasEscapingLinks(
  host: Pick<Host, "stat" | "readdir" | "realpath">,
  folder: string,
): Promise<boolean> {
  if ((await host.stat(folder))?.kind !== "directory") return false
  const waiting = [folder]
  let seen = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = await host.readdir(next).catch(() => null)
    seen += entries?.length ?? 0
    if (entries === null || seen > maxEntries) return true
    for (const { name, kind } of entries) {
      const path = `${next === "/" ? "" : next}/${name}`
      if (kind === "directory") waiting.push(path)
      if (kind !== "symlink") continue
      const to = await host.realpath(path).catch(() => null)
      if (to !== null && !isInside(folder, to)) return true
    }
  }
  return false
}
