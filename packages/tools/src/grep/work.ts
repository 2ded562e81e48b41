import type { Host, SeenFile, ToolContext, ToolResult } from "@gong/spec"
import { seenFiles } from "../files/files.ts"
import { listFiles } from "../search/list-files.ts"
import type { Site } from "../options.ts"
import { resolveForRead } from "../paths.ts"
import { basename, dirname, join, relativeTo } from "../posix-path.ts"
import { checkAborted, Refusal, toolResult } from "../result.ts"
import { checkPattern, ignoresUnapplied, inRepository, secretPatterns } from "../search/scope.ts"
import { shownPath, withNotifications } from "../tool.ts"
import { DEFAULT_MAX_BYTES, formatSize, GREP_MAX_LINE_LENGTH, truncateHead } from "../truncate.ts"
import type { Search } from "./engine.ts"
import { globFilterOf } from "./glob-filter.ts"
import { type Found, type FoundFile, search } from "./search.ts"
import { DEFAULT_LIMIT, type GrepArgs, type GrepDetails, type GrepOptions } from "./schema.ts"

/** Executes one call of grep. */
export async function grep(
  site: Site,
  options: GrepOptions,
  args: GrepArgs,
  context: ToolContext,
): Promise<ToolResult<GrepDetails>> {
  const host = await site.host()
  const wanted = await searchOf(site, args, context.signal)
  let found = await search(host, options, wanted)
  // If ignore files exclude everything they were not meant for this search: an ignored folder can be searched from
  // inside.
  const nothing = wanted.file === null && found.files.size === 0 && !found.any
  const everything = nothing && !(await listFiles(host, options, { ...wanted, onPath: () => false })).any
  if (everything) found = await search(host, options, { ...wanted, everything })
  checkAborted(context.signal)
  const name = (file: string) => shownPath(relativeTo(site.place.cwd, join(wanted.folder, file)))
  const rows = [...found.files].flatMap(([file, at]) => rowsOf(wanted, name(file), at))
  const result = resultOf(args, options.maxBytes ?? DEFAULT_MAX_BYTES, { ...wanted, everything }, found, rows)
  if (wanted.mode !== "content") return result
  return { ...result, details: { ...result.details, seen: await shownFiles(host, wanted.folder, found, result, name) } }
}

/** Files with at least one line shown. Files cut off at the end do not count as read. */
async function shownFiles(
  host: Host,
  folder: string,
  found: Found,
  result: ToolResult<GrepDetails>,
  name: (file: string) => string,
): Promise<readonly SeenFile[]> {
  const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n")
  const lined = [...found.files].filter(([, { rows }]) => rows.some((row) => row.line !== null))
  const shown = lined.map(([file]) => file).filter((file) => text.includes(`${name(file)}:`))
  return seenFiles(
    host,
    shown.map((file) => join(folder, file)),
  )
}

async function searchOf(site: Site, args: GrepArgs, signal: AbortSignal): Promise<Search> {
  const host = await site.host()
  checkPattern(args.pattern + (args.glob ?? ""))
  const typed = args.path ?? "."
  const path = await resolveForRead(host, site.place, "grep", typed)
  const at = await host.stat(path)
  if (at === null) throw new Refusal(`Path not found: ${typed}. Check it with ls or find.`)
  if (at.kind === "other") throw new Refusal(`Not a file or directory: ${typed} is a pipe, socket or device.`)
  const folder = at.kind === "directory" ? path : dirname(path)
  return {
    folder,
    file: at.kind === "directory" ? null : basename(path),
    exclude: [".git", ...(await secretPatterns(host, site.place, folder))],
    everything: false,
    repository: await inRepository(host, folder),
    pattern: args.pattern,
    literal: args.literal ?? false,
    ignoreCase: args.ignoreCase ?? false,
    globFilter: args.glob ? globFilterOf(args.glob) : null,
    mode: args.outputMode ?? "content",
    before: args.before ?? args.context ?? 0,
    after: args.after ?? args.context ?? 0,
    limit: args.limit ?? DEFAULT_LIMIT,
    clock: site.clock,
    signal,
  }
}

/** The rows of one file: its name, its count, or its lines in order with `--` between gaps. */
function rowsOf(wanted: Search, name: string, { matches, rows: found }: FoundFile): readonly string[] {
  if (wanted.mode === "files_with_matches") return [name]
  if (wanted.mode === "count") return [`${name}:${matches}`]
  const rows: string[] = []
  let previous = Infinity
  for (const { line, text, hit } of found) {
    if (line === null) rows.push(`${name}: ${text}`)
    else {
      if (wanted.before + wanted.after > 0 && line > previous + 1) rows.push("--")
      rows.push(hit ? `${name}:${line}: ${text}` : `${name}-${line}- ${text}`)
      previous = line
    }
  }
  return rows
}

function resultOf(
  args: GrepArgs,
  maxBytes: number,
  wanted: Search,
  found: Found,
  rows: readonly string[],
): ToolResult<GrepDetails> {
  const cut = truncateHead(rows.join("\n"), { maxLines: Infinity, maxBytes })
  const notices: string[] = []
  if (found.more) notices.push(limitText(wanted))
  if (cut.truncated) notices.push(`${formatSize(maxBytes)} limit reached`)
  if ([...found.files.values()].some((file) => file.rows.some((row) => row.cut))) notices.push(longLineText)
  if (wanted.everything) notices.push(ignoresUnapplied)
  else if (rows.length === 0 && wanted.file === null)
    notices.push("left out: what ignore files name, .git, binary files")
  if (found.trouble !== "") notices.push(`Some of it could not be searched: ${found.trouble}`)
  const details = {
    pattern: args.pattern,
    file_count: found.files.size,
    match_count: found.matches,
    truncated: found.more || cut.truncated,
  }
  return toolResult(withNotifications(rows.length === 0 ? "No matches found" : cut.content, notices), details)
}

const longLineText = `Some lines truncated to ${GREP_MAX_LINE_LENGTH} chars. Use read tool to see full lines`

function limitText({ mode, limit }: Search): string {
  const what = mode === "content" ? "matches" : "files"
  return `${limit} ${what} limit reached. Use limit=${limit * 2} for more, or refine pattern`
}
