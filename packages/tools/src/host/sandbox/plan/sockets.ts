import { readFileSync } from "node:fs"
import type { Host } from "@gong/spec"
import { isInside, join } from "../../../posix-path.ts"
import { type Holder, socketHolders } from "../../processes/process-list.ts"

/** Pid namespaces of the running commands, as reported by bubblewrap. */
export type RunningNamespaces = ReadonlySet<string>

/**
 * Real paths of the listening sockets of other programs, outside of `/run`, from the kernel's table of this network
 * namespace. Excludes sockets of running commands, and those in `open`, which are real paths.
 */
export function createSocketList(
  host: Host,
  open: readonly string[],
): (running: RunningNamespaces) => Promise<readonly string[]> {
  /** The path of each socket by inode, while it is in the table; null for a command's own. */
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
  /** As bound; may be relative to an unknown folder. */
  readonly name: string
}

/** Folders whose sockets commands cannot see anyway. Names with a leading `@` are abstract and have no path. */
const excluded = /^(?:@|\/(?:var\/)?run\/|\/dev\/|\/proc\/)/

/** Named sockets that accept connections (flag 10000) or receive datagrams (type 0002). */
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

/** ssh binds `NAME.` plus 16 letters, and links it to the name. */
function namesOf(path: string): readonly string[] {
  const name = path.replace(/\.[a-zA-Z0-9]{16}$/, "")
  return name === path ? [path] : [path, name]
}

/** The real path if it is neither file, folder nor link. */
async function socketAt(host: Host, path: string): Promise<string | null> {
  const found = await host.stat(path).catch(() => null)
  return found?.kind === "other" ? host.realpath(path).catch(() => null) : null
}
