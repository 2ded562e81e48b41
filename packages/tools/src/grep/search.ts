import { isRecord, type Host } from "@gong/spec"
import { Refusal } from "../result.ts"
import { runRipgrep, type RipgrepOptions } from "../ripgrep.ts"

export interface Search {
  /** Folder that the search runs in, absolute. */
  readonly folder: string
  /** `.` or the name of one file in it. */
  readonly target: string
  readonly pattern: string
  readonly flags: readonly string[]
  readonly globs: readonly string[]
  readonly limit: number
  /** Counts files instead of matches. */
  readonly byFile: boolean
  readonly signal: AbortSignal
}

export interface Match {
  readonly line: number
  /** Byte offset of the line in its file. */
  readonly offset: number
  readonly text: string
}

export interface Found {
  /** By path relative to the folder, sorted. */
  readonly files: ReadonlyMap<string, readonly Match[]>
  readonly matches: number
  /** There was more than the limit. */
  readonly more: boolean
  /** What could not be searched, as ripgrep said it; empty when all was. */
  readonly trouble: string
}

/** Streams ripgrep's matches and ends it when one more than the limit has come. */
export async function search(host: Host, options: RipgrepOptions, wanted: Search): Promise<Found> {
  const files = new Map<string, Match[]>()
  let matches = 0
  let more = false
  const ended = await runRipgrep(host, options, {
    args: argsOf(wanted),
    cwd: wanted.folder,
    signal: wanted.signal,
    onLine(line) {
      const event = matchOf(line)
      if (event === null) return true
      const known = files.get(event.path)
      more = wanted.byFile ? known === undefined && files.size === wanted.limit : matches === wanted.limit
      if (more) return false
      matches++
      if (known) known.push(event.match)
      else files.set(event.path, [event.match])
      return true
    },
  })
  const stderr = ended.stderr.trim()
  if (ended.code === 2 && /regex parse error|error parsing glob|regex could not be compiled/.test(stderr))
    throw new Refusal(invalidText(wanted.pattern, stderr))
  const sorted = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
  return { files: sorted, matches, more, trouble: ended.code === 2 ? (stderr.split("\n", 1)[0] ?? "") : "" }
}

function argsOf(wanted: Search): readonly string[] {
  const fixed = ["--json", "--line-number", "--hidden", "--no-require-git"]
  // `--`: a pattern that begins with a dash is a pattern.
  return [...fixed, ...wanted.flags, ...wanted.globs, "--", wanted.pattern, `./${wanted.target}`]
}

function matchOf(line: string): { path: string; match: Match } | null {
  if (!line.startsWith('{"type":"match"')) return null
  const event: unknown = JSON.parse(line)
  const data = isRecord(event) ? event["data"] : null
  if (!isRecord(data)) return null
  const path = textOf(data["path"]).replace(/^\.\//, "")
  const text = textOf(data["lines"]).replace(/\r?\n$/, "")
  return { path, match: { line: Number(data["line_number"]), offset: Number(data["absolute_offset"]), text } }
}

/** ripgrep gives what is not UTF-8 as base64. */
function textOf(value: unknown): string {
  if (!isRecord(value)) return ""
  if (typeof value["text"] === "string") return value["text"]
  return typeof value["bytes"] === "string" ? Buffer.from(value["bytes"], "base64").toString() : ""
}

function invalidText(pattern: string, stderr: string): string {
  return `Invalid pattern: ${pattern}\n${stderr}\nEscape special characters, or set literal to search for plain text.`
}
