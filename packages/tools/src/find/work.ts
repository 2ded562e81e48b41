import type { Host, ToolContext, ToolResult } from "@gong/spec"
import { type Matches, newestMatches } from "./newest.ts"
import type { Site } from "../options.ts"
import { checkAborted, toolResult } from "../result.ts"
import {
  checkPattern,
  excludedNames,
  ignoresUnapplied,
  inRepository,
  resolveFolder,
  type Scope,
  secretPatterns,
} from "../search/scope.ts"
import { shownPath, withNotifications } from "../tool.ts"
import { DEFAULT_MAX_BYTES, formatSize, truncateHead } from "../truncate.ts"
import { DEFAULT_LIMIT, type FindArgs, type FindDetails, type FindOptions } from "./schema.ts"

/** Executes one call of find. */
export async function find(
  site: Site,
  options: FindOptions,
  args: FindArgs,
  { signal }: ToolContext,
): Promise<ToolResult<FindDetails>> {
  const host = await site.host()
  checkPattern(args.pattern)
  const folder = await resolveFolder(site, "find", args.path ?? ".", {
    missing: "Check it with ls.",
    file: "Give the directory to search.",
  })
  const exclude = options.exclude ?? (await excludedNames(host, folder))
  const secrets = await secretPatterns(host, site.place, folder)
  const repository = await inRepository(host, folder)
  const scope = { folder, exclude: [...exclude, ...secrets], everything: false, repository, clock: site.clock, signal }
  const limit = args.limit ?? DEFAULT_LIMIT
  const glob = options.operations?.glob
  const found = glob
    ? { matches: given(await glob(args.pattern, folder, { limit, signal })), unapplied: false, exclude }
    : await search(host, options, scope, { pattern: args.pattern, limit, exclude })
  checkAborted(signal)
  const leftOut = [...(found.unapplied ? [] : ["what ignore files name"]), ...found.exclude].join(", ")
  const notices = { unapplied: found.unapplied ? ignoresUnapplied : "", leftOut: `left out: ${leftOut}` }
  return resultOf(args, found.matches, notices, options.maxBytes ?? DEFAULT_MAX_BYTES)
}

interface Wanted {
  readonly pattern: string
  readonly limit: number
  /** Excluded besides ignored files and secrets. */
  readonly exclude: readonly string[]
}

/**
 * If ignore files exclude the whole folder they are not applied (docs/decisions/ignored-from-inside.md). Packages are
 * then excluded by name, as without ignore files.
 */
async function search(host: Host, options: FindOptions, scope: Scope, wanted: Wanted) {
  const matches = await newestMatches(host, options, scope, wanted)
  if (matches.any) return { matches, unapplied: false, exclude: wanted.exclude }
  const more = options.exclude || wanted.exclude.includes("node_modules") ? [] : ["node_modules"]
  const all = { ...scope, exclude: [...scope.exclude, ...more], everything: true }
  const unignored = await newestMatches(host, options, all, wanted)
  return { matches: unignored, unapplied: unignored.any, exclude: [...wanted.exclude, ...more] }
}

function given(paths: readonly string[]): Matches {
  return { paths, total: paths.length, any: true, trouble: "" }
}

function resultOf(
  args: FindArgs,
  { paths, total, trouble }: Matches,
  { unapplied, leftOut }: { readonly unapplied: string; readonly leftOut: string },
  maxBytes: number,
): ToolResult<FindDetails> {
  const limit = args.limit ?? DEFAULT_LIMIT
  const shown = paths.slice(0, limit).map(shownPath)
  const cut = truncateHead(shown.join("\n"), { maxLines: Infinity, maxBytes })
  const notices: string[] = []
  const more = total - shown.length
  if (more > 0)
    notices.push(`${limit} results limit reached, ${more} more. Use limit=${limit * 2} for more, or refine pattern`)
  if (cut.truncated) notices.push(`${formatSize(maxBytes)} limit reached`)
  const truncated = notices.length > 0
  if (unapplied !== "") notices.push(unapplied)
  if (trouble !== "") notices.push(`Some of it could not be searched: ${trouble}`)
  if (total === 0 || truncated || trouble !== "") notices.push(leftOut)
  const details = { pattern: args.pattern, result_count: total === 0 ? 0 : cut.outputLines, truncated, total }
  return toolResult(withNotifications(total === 0 ? "No files found" : cut.content, notices), details)
}
