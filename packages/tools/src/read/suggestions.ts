import type { Host } from "@gong/spec"
import { basename, dirname, join } from "../posix-path.ts"

const SHOWN_MAX = 3
/** Names of one or two characters are all similar to each other. */
const SLIP_MIN_CHARS = 3
/** Folders searched for a file of the same name; more are not worth it for a suggestion. */
const FOLDERS_MAX = 200

/** Suggestions for a missing path: similar names, otherwise the same name elsewhere below `cwd`. */
export async function suggestPaths(
  host: Host,
  cwd: string,
  path: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const near = await nearPaths(host, path)
  return (near.length > 0 ? near : await sameNameBelow(host, cwd, basename(path), signal)).slice(0, SHOWN_MAX)
}

/** Matches each part of the path exactly or nearly, from the root down, until nothing is similar. */
async function nearPaths(host: Host, path: string): Promise<readonly string[]> {
  if ((await host.stat(path)) !== null) return [path]
  if (path === "/") return []
  const found: string[] = []
  for (const folder of await nearPaths(host, dirname(path))) {
    const names = await namesIn(host, folder)
    for (const name of likest(names, basename(path))) found.push(join(folder, name))
    if (found.length >= SHOWN_MAX) break
  }
  return found
}

/** The names of the closest kind of similarity. */
function likest(names: readonly string[], wanted: string): readonly string[] {
  const kinds: readonly ((name: string) => boolean)[] = [
    (name) => folded(name) === folded(wanted),
    (name) => wanted.length >= SLIP_MIN_CHARS && isOneEditApart(folded(name), folded(wanted)),
    (name) => stem(folded(name)) === stem(folded(wanted)),
  ]
  for (const isLike of kinds) {
    const like = names.filter(isLike)
    if (like.length > 0) return like.slice(0, SHOWN_MAX)
  }
  return []
}

function folded(name: string): string {
  return name.normalize("NFC").toLowerCase()
}

function stem(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, "")
}

/** One character inserted, deleted or replaced, or two adjacent characters swapped. */
function isOneEditApart(a: string, b: string): boolean {
  const short = Math.min(a.length, b.length)
  let start = 0
  while (start < short && a[start] === b[start]) start++
  let tail = 0
  while (tail < short - start && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  const [inA, inB] = [a.slice(start, a.length - tail), b.slice(start, b.length - tail)]
  if (inA.length <= 1 && inB.length <= 1) return inA !== inB
  return inA.length === 2 && inB.length === 2 && inA[0] === inB[1] && inA[1] === inB[0]
}

/** Nearest folders first. Folders of tools and packages are skipped. */
async function sameNameBelow(host: Host, cwd: string, name: string, signal: AbortSignal): Promise<readonly string[]> {
  const found: string[] = []
  const folders = [cwd]
  for (let at = 0; at < folders.length && at < FOLDERS_MAX && found.length < SHOWN_MAX; at++) {
    if (signal.aborted) break
    const folder = folders[at] ?? cwd
    for (const entry of await entriesIn(host, folder)) {
      if (entry.kind === "file" && folded(entry.name) === folded(name)) found.push(join(folder, entry.name))
      if (entry.kind !== "directory" || entry.name.startsWith(".") || entry.name === "node_modules") continue
      if (folders.length < FOLDERS_MAX) folders.push(join(folder, entry.name))
    }
  }
  return found
}

async function namesIn(host: Host, folder: string): Promise<readonly string[]> {
  return (await entriesIn(host, folder)).map((entry) => entry.name).toSorted()
}

/** A suggestion must not fail: an unreadable folder counts as empty. */
async function entriesIn(host: Host, folder: string): Promise<Awaited<ReturnType<Host["readdir"]>>> {
  try {
    return await host.readdir(folder)
  } catch {
    return []
  }
}
