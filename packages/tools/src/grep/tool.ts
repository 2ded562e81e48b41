import type { Host, SeenFile, Static, ToolContext, ToolResult } from "@gong/spec"
import { seenFiles } from "../files.ts"
import { openSite, type Site, type ToolOptions } from "../options.ts"
import { resolveForRead } from "../paths.ts"
import { basename, dirname, join, relativeTo } from "../posix-path.ts"
import { atDoor, checkAborted, Refusal, toolResult } from "../result.ts"
import { secretGlobs, type RipgrepOptions } from "../ripgrep.ts"
import { pathNames, renamed, titleOf, type ToolOf } from "../tool.ts"
import { DEFAULT_MAX_BYTES, formatSize, GREP_MAX_LINE_LENGTH, truncateHead, truncateLine } from "../truncate.ts"
import { linesAround, type Around } from "./context.ts"
import { search, type Found, type Match } from "./search.ts"

const parameters = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "Regex (Rust syntax)" },
    path: { type: "string", description: "File or directory, default the working directory" },
    glob: { type: "string", description: "Only these files, e.g. *.ts" },
    ignoreCase: { type: "boolean" },
    literal: { type: "boolean", description: "Pattern is plain text" },
    context: { type: "integer", minimum: 0, description: "Lines around each match" },
    before: { type: "integer", minimum: 0 },
    after: { type: "integer", minimum: 0 },
    outputMode: { enum: ["content", "files_with_matches", "count"] },
    limit: { type: "integer", minimum: 1, description: "Default 100" },
  },
  required: ["pattern"],
} as const

type GrepArgs = Static<typeof parameters>

export type GrepDetails = {
  readonly pattern: string
  readonly file_count: number
  readonly match_count: number
  readonly truncated: boolean
  /** Files of which a line is shown. */
  readonly seen?: readonly SeenFile[]
}

export interface GrepOptions extends ToolOptions, RipgrepOptions {}

export type GrepTool = ToolOf<GrepArgs, GrepDetails>

const DEFAULT_LIMIT = 100

export function createGrepTool(cwd: string, options: GrepOptions = {}): GrepTool {
  const site = openSite(cwd, options)
  return {
    name: "grep",
    label: "Grep",
    description:
      "Search file contents with ripgrep. Ignore files count; a path that is given is searched all the same.",
    parameters,
    promptSnippet: "Search file contents",
    promptGuidelines: [],
    readOnly: true,
    interruptible: true,
    mapArguments: (args) => renamed(args, { ...pathNames, ...grepNames }),
    title: (args) => titleOf(args["pattern"]),
    execute: (_callId, args, context) =>
      atDoor(context.signal, args.path ?? ".", () => grep(site, options, args, context)),
  }
}

const grepNames = {
  ignore_case: "ignoreCase",
  case_insensitive: "ignoreCase",
  "-i": "ignoreCase",
  "-A": "after",
  "-B": "before",
  "-C": "context",
  output_mode: "outputMode",
  head_limit: "limit",
  include: "glob",
} as const

async function grep(
  site: Site,
  options: GrepOptions,
  args: GrepArgs,
  context: ToolContext,
): Promise<ToolResult<GrepDetails>> {
  const host = await site.host()
  const typed = args.path ?? "."
  const path = await resolveForRead(host, site.place, "grep", typed)
  const at = await host.stat(path)
  if (at === null) throw new Refusal(`Path not found: ${typed}. Check it with ls or find.`)
  const folder = at.kind === "directory" ? path : dirname(path)
  const mode = args.outputMode ?? "content"
  const found = await search(host, options, {
    folder,
    target: at.kind === "directory" ? "" : basename(path),
    pattern: args.pattern,
    flags: flagsOf(args),
    globs: [...(args.glob ? ["--glob", args.glob] : []), "--glob", "!.git", ...secretGlobs(host, site.place, folder)],
    limit: args.limit ?? DEFAULT_LIMIT,
    byFile: mode !== "content",
    signal: context.signal,
  })
  checkAborted(context.signal)
  const name = (file: string) => relativeTo(site.place.cwd, join(folder, file))
  if (mode !== "content") return resultOf(args, options, found, listRows(found, name, mode === "count"))
  const around = { before: args.before ?? args.context ?? 0, after: args.after ?? args.context ?? 0 }
  const rows = await contentRows(host, folder, found, { name, around, signal: context.signal })
  const result = resultOf(args, options, found, rows)
  // What was cut off the end was not looked at.
  const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n")
  const shown = [...found.files.keys()].filter((file) => text.includes(`${name(file)}:`))
  const paths = shown.map((file) => join(folder, file))
  return { ...result, details: { ...result.details, seen: await seenFiles(host, paths) } }
}

function flagsOf(args: GrepArgs): readonly string[] {
  const flags: string[] = []
  if (args.ignoreCase) flags.push("--ignore-case")
  if (args.literal) flags.push("--fixed-strings")
  // One match is enough to know that a file has one.
  if (args.outputMode === "files_with_matches") flags.push("--max-count=1")
  return flags
}

function listRows(found: Found, name: (file: string) => string, counts: boolean): readonly string[] {
  return [...found.files].map(([file, matches]) => (counts ? `${name(file)}:${matches.length}` : name(file)))
}

interface Shape {
  readonly around: Around
  readonly signal: AbortSignal
  name(file: string): string
}

async function contentRows(host: Host, folder: string, found: Found, shape: Shape): Promise<readonly string[]> {
  const rows: string[] = []
  for (const [file, matches] of found.files) {
    checkAborted(shape.signal)
    const wide = shape.around.before + shape.around.after > 0
    const lines = wide ? await linesAround(host, join(folder, file), matches, shape.around) : new Map<number, string>()
    rows.push(...fileRows(shape.name(file), matches, lines, wide))
  }
  return rows
}

/** The lines of one file in order; `--` where lines between two groups are left out. */
function fileRows(
  name: string,
  matches: readonly Match[],
  lines: ReadonlyMap<number, string>,
  wide: boolean,
): readonly string[] {
  const hits = new Map(matches.map((match) => [match.line, match.text]))
  const numbers = [...new Set([...hits.keys(), ...lines.keys()])].sort((a, b) => a - b)
  const rows: string[] = []
  let previous = 0
  for (const line of numbers) {
    if (wide && rows.length > 0 && line > previous + 1) rows.push("--")
    const hit = hits.get(line)
    const text = truncateLine(hit ?? lines.get(line) ?? "").content
    rows.push(hit === undefined ? `${name}-${line}- ${text}` : `${name}:${line}: ${text}`)
    previous = line
  }
  return rows
}

function resultOf(
  args: GrepArgs,
  options: GrepOptions,
  found: Found,
  rows: readonly string[],
): ToolResult<GrepDetails> {
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES
  const cut = truncateHead(rows.join("\n"), { maxLines: Infinity, maxBytes })
  const notices = noticesOf(args, found)
  if (cut.truncated) notices.push(`${formatSize(maxBytes)} limit reached`)
  if (longLine(found)) notices.push(longLineText)
  if (found.trouble !== "") notices.push(`Some of it could not be searched: ${found.trouble}`)
  const details = {
    pattern: args.pattern,
    file_count: found.files.size,
    match_count: found.matches,
    truncated: found.more || cut.truncated,
  }
  const body = rows.length === 0 ? "No matches found" : cut.content
  return toolResult(notices.length > 0 ? `${body}\n\n[${notices.join(". ")}]` : body, details)
}

const longLineText = `Some lines truncated to ${GREP_MAX_LINE_LENGTH} chars. Use read tool to see full lines`

function noticesOf(args: GrepArgs, found: Found): string[] {
  if (!found.more) return []
  const limit = args.limit ?? DEFAULT_LIMIT
  const what = args.outputMode === undefined || args.outputMode === "content" ? "matches" : "files"
  return [`${limit} ${what} limit reached. Use limit=${limit * 2} for more, or refine pattern`]
}

function longLine(found: Found): boolean {
  for (const matches of found.files.values())
    if (matches.some((match) => match.text.length > GREP_MAX_LINE_LENGTH)) return true
  return false
}
