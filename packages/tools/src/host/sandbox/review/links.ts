import { join } from "../../../posix-path.ts"
import { entriesIn, lstatOf } from "../disk.ts"
import { linkText } from "./aside.ts"

/** Targets of symbolic links in git folders, by path. */
export type Links = ReadonlyMap<string, string>

/** Read-only for commands, or with names that git derives from the content. */
const passedOver = new Set(["hooks", "modules", "worktrees", "objects", "lfs/objects", "annex/objects"])

/** Maximum number of folders searched per git folder. */
const FOLDERS_MAX = 5000

/** A folder read within this time after its last change may have changed again within the clock resolution. */
const UNSURE_MS = 100

interface Known {
  readonly changed: number
  readonly links: readonly (readonly [string, string])[]
  readonly folders: readonly string[]
}

/**
 * Returns a search for symbolic links in a git folder, which reads changed folders only. Git creates no links, but
 * writes through them: messages, logs and references, wherever they point.
 */
export function createLinkScan(): (folder: string) => Links {
  const known = new Map<string, Known>()
  return (folder) => {
    const found = new Map<string, string>()
    const left = [""]
    for (let count = 0; left.length > 0 && count < FOLDERS_MAX; count++) {
      const name = left.pop() ?? ""
      const path = join(folder, name)
      const changed = lstatOf(path)?.ctimeMs
      if (changed === undefined) continue
      const entry = known.get(path)
      const read = entry?.changed === changed ? entry : look(path, changed)
      if (Date.now() - changed > UNSURE_MS) known.set(path, read)
      else known.delete(path)
      for (const [link, to] of read.links) found.set(join(path, link), to)
      for (const one of read.folders) {
        const below = name === "" ? one : `${name}/${one}`
        if (!passedOver.has(below)) left.push(below)
      }
    }
    return found
  }
}

function look(path: string, changed: number): Known {
  const entries = entriesIn(path)
  const links = entries
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }) => [name, linkText(join(path, name)) ?? ""] as const)
  return { changed, links, folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name) }
}
