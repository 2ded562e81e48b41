import { readFileSync } from "node:fs"
import type { Host } from "@gong/spec"
import { isInside, join } from "../../../posix-path.ts"
import { type Holder, socketHolders } from "../../processes/process-list.ts"

/** Names of the process namespaces of commands that run now, as bubblewrap tells them. */
export type RunningNamespaces = ReadonlySet<string>

/**
 * The sockets on which other programs of the machine listen, as real paths, without those in `/run`: each has a row in the
 * kernel's table of this network namespace. Without those of commands that run, and those in `open`, real paths.
 */
export function createSocketList(
  host: Host,
  open: readonly string[],
): (running: RunningNamespaces) => Promise<readonly string[]> {
  /** What was found out about each, by its number, as long as it has a row; null: a command's own. */
  let known = new Map<string, string | null>()
  return async (running) => {
    const rows = listening()
    const isUnclear = ({ inode, name }: Row) => !known.has(inode) && (running.size > 0 || !name.startsWith("/"))
    const unclear = rows.filter(isUnclear).map(({ inode }) => inode)
    const holders = unclear.length === 0 ? none : socketHolders(new Set(unclear))
    known = new Map(
      rows.map((row) => {
        const path = known.get(row.inode)
        return [row.inode, path === undefined ? pathOf(row, holders.get(row.inode), running) : path]
      }),
    )
    const paths = new Set([...known.values()].flatMap((path) => (path === null ? [] : namesOf(path))))
    const found = await Promise.all([...paths].map(async (path) => socketAt(host, path)))
    const present = new Set(found.filter((path) => path !== null))
    return [...present].filter((path) => !open.some((folder) => isInside(folder, path)))
  }
}

const none: ReadonlyMap<string, Holder> = new Map()

interface Row {
  readonly inode: string
  /** As it was bound: it may be relative to a folder that the table does not tell. */
  readonly name: string
}

/** In these folders nothing of the machine's is shown. Names that begin with `@` are abstract: no path leads to them. */
const excluded = /^(?:@|\/(?:var\/)?run\/|\/dev\/|\/proc\/)/

/** Rows with a name, of sockets that wait for connections (flag 10000) or take single messages (type 0002). */
function listening(): readonly Row[] {
  const rows = readFileSync("/proc/net/unix", "utf8").matchAll(
    /^\S+ \S+ \S+ (?:\S{3}1\S{4} \S+|\S+ 0002) \S+ +(\d+) (.+)$/gm,
  )
  return [...rows].flatMap(([, inode = "", name = ""]) => (excluded.test(name) ? [] : [{ inode, name }]))
}

function pathOf({ name }: Row, holder: Holder | undefined, running: RunningNamespaces): string | null {
  if (holder !== undefined && running.has(holder.namespace)) return null
  if (name.startsWith("/")) return name
  return holder === undefined ? null : join(holder.cwd, name)
}

/** ssh binds `NAME.` and 16 letters, and links it to its name. */
function namesOf(path: string): readonly string[] {
  const name = path.replace(/\.[a-zA-Z0-9]{16}$/, "")
  return name === path ? [path] : [path, name]
}

/** The real path of what is there and no file, folder or link. */
async function socketAt(host: Host, path: string): Promise<string | null> {
  const found = await host.stat(path).catch(() => null)
  return found?.kind === "other" ? host.realpath(path).catch(() => null) : null
}
