import type { Host } from "@gong/spec"
import { isInside } from "@gong/policy/paths"

/** Entries of a tree; a command that reads more takes far longer. */
const maxEntries = 50_000

/**
 * Whether `folder`, a real path, contains a symbolic link with a target outside of it. Also true for too many entries, and for an
 * unreadable folder. Dangling links do not count.
 */
export async function hasEscapingLinks(
  host: Pick<Host, "stat" | "readdir" | "realpath">,
  folder: string,
): Promise<boolean> {
  if ((await host.stat(folder))?.kind !== "directory") return false
  const pending = [folder]
  let seen = 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const entries = await host.readdir(next).catch(() => null)
    seen += entries?.length ?? 0
    if (entries === null || seen > maxEntries) return true
    for (const { name, kind } of entries) {
      const path = `${next === "/" ? "" : next}/${name}`
      if (kind === "directory") pending.push(path)
      if (kind !== "symlink") continue
      const target = await host.realpath(path).catch(() => null)
      if (target !== null && !isInside(folder, target)) return true
    }
  }
  return false
}
