import type { Host, HostDirent, ToolContext, ToolResult } from "@gong/spec"
import type { Site } from "../options.ts"
import { join } from "../posix-path.ts"
import { checkAborted, toolResult } from "../result.ts"
import { resolveFolder } from "../search/scope.ts"
import { shownPath, withNotifications } from "../tool.ts"
import { DEFAULT_MAX_BYTES, formatSize, truncateHead } from "../truncate.ts"
import { DEFAULT_LIMIT, type LsArgs, type LsEntry, type LsDetails, type LsOptions } from "./schema.ts"

/** Entries are read in groups of this size; the signal is checked between groups. */
const GROUP = 64

/** Executes one call of ls. */
export async function ls(
  site: Site,
  options: LsOptions,
  args: LsArgs,
  context: ToolContext,
): Promise<ToolResult<LsDetails>> {
  const host = await site.host()
  const path = await resolveFolder(site, "ls", args.path ?? ".", {
    missing: "Check it with find, or list its parent.",
    file: "Use read for a file.",
  })
  const all = await host.readdir(path)
  const limit = args.limit ?? DEFAULT_LIMIT
  const { entries, more } = await lookAt(host, path, sorted(all, options.sort), limit, context.signal)
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES
  const cut = truncateHead(entries.map((entry) => shownPath(entry.name)).join("\n"), { maxLines: Infinity, maxBytes })
  const notices: string[] = []
  if (more > 0) notices.push(`${limit} entries limit reached, ${more} more. Use limit=${limit * 2} for more`)
  if (cut.truncated) notices.push(`${formatSize(maxBytes)} limit reached`)
  const details = {
    path,
    entry_count: entries.length,
    total_size: entries.reduce((sum, entry) => sum + entry.size, 0),
    truncated: notices.length > 0,
    entries: entries.slice(0, cut.outputLines),
  }
  const body = entries.length === 0 ? "(empty directory)" : cut.content
  return toolResult(withNotifications(body, notices), details)
}

function sorted(entries: readonly HostDirent[], sort: LsOptions["sort"]): readonly HostDirent[] {
  const keyed = entries.map((entry) => ({
    entry,
    key: entry.name.toLowerCase(),
    dir: entry.kind === "directory" ? 0 : 1,
  }))
  keyed.sort(
    (a, b) => (sort === "dirs-first" && a.dir - b.dir) || compare(a.key, b.key) || compare(a.entry.name, b.entry.name),
  )
  return keyed.map((item) => item.entry)
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The first readable entries, and how many are left. Dangling links and entries that just vanished are skipped. */
async function lookAt(
  host: Host,
  folder: string,
  all: readonly HostDirent[],
  limit: number,
  signal: AbortSignal,
): Promise<{ entries: readonly LsEntry[]; more: number }> {
  const entries: LsEntry[] = []
  let at = 0
  while (at < all.length && entries.length < limit) {
    checkAborted(signal)
    const group = all.slice(at, at + Math.min(GROUP, limit - entries.length))
    const looked = await Promise.all(group.map((entry) => entryOf(host, folder, entry)))
    for (const entry of looked) if (entry !== null) entries.push(entry)
    at += group.length
  }
  return { entries, more: all.length - at }
}

/** A link to a directory is listed as a directory and keeps the type link. */
async function entryOf(host: Host, folder: string, entry: HostDirent): Promise<LsEntry | null> {
  const found = await host.stat(join(folder, entry.name)).catch(() => null)
  if (found === null) return null
  const name = found.kind === "directory" ? `${entry.name}/` : entry.name
  return { name, type: entry.kind, size: found.kind === "file" ? found.size : 0 }
}
