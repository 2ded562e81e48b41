import type { Host, Static, ToolContext, ToolResult } from "@gong/spec"
import { globTest } from "./glob.ts"
import { openSite, type Site, type ToolOptions } from "./options.ts"
import { resolveForRead } from "./paths.ts"
import { dirname, join } from "./posix-path.ts"
import { atDoor, checkAborted, Refusal, toolResult } from "./result.ts"
import { runRipgrep, secretGlobs, type RipgrepOptions } from "./ripgrep.ts"
import { pathNames, renamed, titleOf, type ToolOf } from "./tool.ts"
import { DEFAULT_MAX_BYTES, formatSize, truncateHead } from "./truncate.ts"

const parameters = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "Glob, e.g. *.ts or src/**/*.test.ts" },
    path: { type: "string", description: "Directory, default the working directory" },
    limit: { type: "integer", minimum: 1, description: "Default 1000" },
  },
  required: ["pattern"],
} as const

type FindArgs = Static<typeof parameters>

export type FindDetails = {
  readonly pattern: string
  /** Results that are shown. */
  readonly result_count: number
  readonly truncated: boolean
  readonly total: number
}

export interface FindOptions extends ToolOptions, RipgrepOptions {
  /** Names left out everywhere. Default: `.git`; `node_modules` without ignore files; `_build` and `deps` beside a mix.exs. */
  readonly exclude?: readonly string[]
}

export type FindTool = ToolOf<FindArgs, FindDetails>

const DEFAULT_LIMIT = 1000
/** Above this many matches ripgrep itself sorts them: one look at each by us would take longer. */
const LOOK_MAX = 2000
const GROUP = 64

export function createFindTool(cwd: string, options: FindOptions = {}): FindTool {
  const site = openSite(cwd, options)
  return {
    name: "find",
    label: "Find",
    description: "Find files and directories by glob, newest first. Ignore files count.",
    parameters,
    promptSnippet: "Find files by name",
    promptGuidelines: [],
    readOnly: true,
    interruptible: true,
    mapArguments: (args) => renamed(args, pathNames),
    title: (args) => titleOf(args["pattern"]),
    execute: (_callId, args, context) =>
      atDoor(context.signal, args.path ?? ".", () => find(site, options, args, context)),
  }
}

async function find(
  site: Site,
  options: FindOptions,
  args: FindArgs,
  context: ToolContext,
): Promise<ToolResult<FindDetails>> {
  const host = await site.host()
  const typed = args.path ?? "."
  const folder = await resolveForRead(host, site.place, "find", typed)
  const found = await host.stat(folder)
  if (found === null) throw new Refusal(`Path not found: ${typed}. Check it with ls.`)
  if (found.kind !== "directory") throw new Refusal(`Not a directory: ${typed}. Give the directory to search.`)
  const exclude = options.exclude ?? (await excluded(host, folder))
  const list = (more: readonly string[], onPath: (path: string) => boolean) =>
    listFiles(host, options, [...globsOf(exclude), ...secretGlobs(host, site.place, folder), ...more], {
      cwd: folder,
      signal: context.signal,
      onPath,
    })
  const glob = options.operations?.glob
  const limit = args.limit ?? DEFAULT_LIMIT
  const matches = glob
    ? await glob(args.pattern, folder, { limit, signal: context.signal })
    : await newestFirst(host, folder, globTest(args.pattern), list, context.signal)
  checkAborted(context.signal)
  return resultOf(args, matches, exclude, options.maxBytes ?? DEFAULT_MAX_BYTES)
}

function globsOf(exclude: readonly string[]): readonly string[] {
  return exclude.flatMap((name) => ["--glob", `!${name}`])
}

/** What is left out besides what ignore files name (row FIND-P.1): names that mean build results only in their own world. */
async function excluded(host: Host, folder: string): Promise<readonly string[]> {
  const there = async (name: string) => (await host.stat(join(folder, name))) !== null
  const ignores = (await there(".gitignore")) || (await there(".ignore")) || (await there(".rgignore"))
  const elixir = await there("mix.exs")
  return [".git", ...(ignores ? [] : ["node_modules"]), ...(elixir ? ["/_build", "/deps"] : [])]
}

interface Listing {
  readonly cwd: string
  readonly signal: AbortSignal
  /** `false` ends the listing. */
  onPath(path: string): boolean
}

async function listFiles(host: Host, options: RipgrepOptions, globs: readonly string[], listing: Listing) {
  const ended = await runRipgrep(host, options, {
    args: ["--files", "--null", "--hidden", "--no-require-git", ...globs],
    separator: "\0",
    cwd: listing.cwd,
    signal: listing.signal,
    onLine: listing.onPath,
  })
  // A folder that cannot be read is an error for ripgrep; what could be read counts.
  if (ended.code === 2 && ended.stderr.includes("error parsing glob")) throw new Refusal(ended.stderr.trim())
}

type List = (more: readonly string[], onPath: (path: string) => boolean) => Promise<void>

async function newestFirst(
  host: Host,
  folder: string,
  fits: (path: string) => boolean,
  list: List,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const first = await collect(fits, (onPath) => list([], onPath), LOOK_MAX)
  if (first.files.length <= LOOK_MAX) return byTime(host, folder, [...first.files, ...first.folders], signal)
  const { files, folders } = await collect(fits, (onPath) => list(["--sortr=modified"], onPath), Infinity)
  return [...files, ...(await byTime(host, folder, folders, signal))]
}

/** Matching files in the order they come, and matching folders above any file; ends when there is one more than `max`. */
async function collect(
  fits: (path: string) => boolean,
  list: (onPath: (path: string) => boolean) => Promise<void>,
  max: number,
): Promise<{ files: readonly string[]; folders: readonly string[] }> {
  const files: string[] = []
  const folders = new Set<string>()
  await list((path) => {
    if (fits(path)) files.push(path)
    for (let up = dirname(path); up !== "." && !folders.has(up); up = dirname(up)) folders.add(up)
    return files.length <= max
  })
  return { files, folders: [...folders].filter(fits).map((path) => `${path}/`) }
}

async function byTime(
  host: Host,
  folder: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
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

function resultOf(
  args: FindArgs,
  matches: readonly string[],
  exclude: readonly string[],
  maxBytes: number,
): ToolResult<FindDetails> {
  const limit = args.limit ?? DEFAULT_LIMIT
  const leftOut = `left out: what ignore files name, ${exclude.join(", ")}`
  if (matches.length === 0)
    return toolResult(`No files found\n\n[${leftOut}]`, {
      pattern: args.pattern,
      result_count: 0,
      truncated: false,
      total: 0,
    })
  const shown = matches.slice(0, limit)
  const cut = truncateHead(shown.join("\n"), { maxLines: Infinity, maxBytes })
  const notices: string[] = []
  const more = matches.length - shown.length
  if (more > 0)
    notices.push(`${limit} results limit reached, ${more} more. Use limit=${limit * 2} for more, or refine pattern`)
  if (cut.truncated) notices.push(`${formatSize(maxBytes)} limit reached`)
  const details = {
    pattern: args.pattern,
    result_count: cut.outputLines,
    truncated: notices.length > 0,
    total: matches.length,
  }
  if (notices.length === 0) return toolResult(cut.content, details)
  return toolResult(`${cut.content}\n\n[${[...notices, leftOut].join(". ")}]`, details)
}
