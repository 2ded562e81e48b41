import type { Host } from "@gong/spec"
import { globTest, literalOf } from "../search/glob.ts"
import { type Listed, type Listing, listFiles } from "../search/list-files.ts"
import { dirname, join } from "../posix-path.ts"
import { checkAborted } from "../result.ts"
import type { RipgrepOptions } from "../search/ripgrep.ts"
import type { Scope } from "../search/scope.ts"

export interface Matches {
  /** Newest first, directories with `/`. At least as many as requested, if they exist. */
  readonly paths: readonly string[]
  readonly total: number
  /** Some file is not ignored, whether it matches or not. */
  readonly any: boolean
  /** What could not be read; empty if everything was. */
  readonly trouble: string
}

/** With more matches ripgrep sorts them itself, which is faster than a stat of each. */
const LOOK_MAX = 2000
const GROUP = 64

/** Files and directories of a scope that match a glob, most recently changed first. */
export async function newestMatches(
  host: Host,
  options: RipgrepOptions,
  scope: Scope,
  wanted: { readonly pattern: string; readonly limit: number },
): Promise<Matches> {
  const query = queryOf(wanted.pattern)
  const list: List = (listing) => listFiles(host, options, { ...scope, holding: query.holding, ...listing })
  const first = await collect(query, (onPath) => list({ onPath }), { keep: LOOK_MAX, end: LOOK_MAX })
  const many = first.count > LOOK_MAX
  const all = many
    ? await collect(query, (onPath) => list({ onPath, newestFirst: true }), { keep: wanted.limit, end: Infinity })
    : first
  const paths = await byTime(host, scope, [...all.files, ...all.folders])
  return { paths, total: all.count + all.folders.length, any: all.any, trouble: all.trouble }
}

type List = (listing: Pick<Listing, "onPath" | "newestFirst">) => Promise<Listed>

interface Query {
  readonly holding: string
  readonly foldersOnly: boolean
  fits(path: string): boolean
}

/** A glob ending with `/` matches directories. */
function queryOf(pattern: string): Query {
  const plain = pattern.replace(/(?<=.)\/+$/, "")
  return { fits: globTest(plain), holding: literalOf(plain), foldersOnly: plain !== pattern }
}

/** Keeps the first matching files and all matching folders. Folders are the ancestors of listed files. */
async function collect(
  { fits, foldersOnly }: Query,
  list: (onPath: (path: string) => boolean) => Promise<Listed>,
  max: { readonly keep: number; readonly end: number },
): Promise<Listed & { files: readonly string[]; folders: readonly string[]; count: number }> {
  const files: string[] = []
  const folders = new Set<string>()
  let count = 0
  let before = ""
  const listed = await list((path) => {
    if (!foldersOnly && fits(path) && ++count <= max.keep) files.push(path)
    const folder = dirname(path)
    // Most files are in the same folder as the previous one.
    if (folder === before) return count <= max.end
    before = folder
    for (let up = folder; up !== "." && !folders.has(up); up = dirname(up)) folders.add(up)
    return count <= max.end
  })
  return { ...listed, files, folders: [...folders].filter(fits).map((path) => `${path}/`), count }
}

async function byTime(host: Host, { folder, signal }: Scope, paths: readonly string[]): Promise<readonly string[]> {
  const looked: { path: string; time: number }[] = []
  for (let at = 0; at < paths.length; at += GROUP) {
    checkAborted(signal)
    const group = paths.slice(at, at + GROUP).map(async (path) => {
      const found = await host.stat(join(folder, path), { link: true }).catch(() => null)
      return { path, time: found?.mtimeMs ?? 0 }
    })
    looked.push(...(await Promise.all(group)))
  }
  looked.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1))
  return looked.map((item) => item.path)
}
