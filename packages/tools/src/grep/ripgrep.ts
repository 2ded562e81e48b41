import { type Host, isRecord, parseJson } from "@gong/spec"
import { troubleOf } from "../search/list-files.ts"
import { Refusal } from "../result.ts"
import { LINE_MAX_BYTES, type RipgrepOptions, runRipgrep } from "../search/ripgrep.ts"
import { scopeFlags } from "../search/scope.ts"
import { formatSize } from "../truncate.ts"
import { invalidGlob, invalidRegex } from "./invalid.ts"
import type { SearchEvent, Search, Searched } from "./engine.ts"

type OnEvent = (event: SearchEvent) => boolean

/** Streams the matches of ripgrep; null if ripgrep is missing. */
export async function searchByRipgrep(
  host: Host,
  options: RipgrepOptions,
  wanted: Search,
  onEvent: OnEvent,
  engine: readonly string[] = [],
): Promise<Searched | null> {
  const { separator, reader } = shapes[wanted.mode]
  const read = reader()
  let any = false
  const ended = await runRipgrep(host, options, {
    args: [...engine, ...argsOf(wanted)],
    separator,
    cwd: wanted.folder,
    signal: wanted.signal,
    clock: wanted.clock,
    onLine(line, whole) {
      if (/^\{"data":.*"searches":[1-9].*"type":"summary"\}$/.test(line)) any = true
      const event = read(line, whole)
      if (event === null) return true
      return wanted.file === null && wanted.globFilter?.matches(event.path) === false ? true : onEvent(event)
    },
  })
  if (ended === null) return null
  if (ended.code !== 2) return { any, trouble: "" }
  // The default engine has no look-around and no backreferences. PCRE2 has both but is slower.
  if (engine.length === 0 && /^error: (look-around|backreferences)/m.test(ended.stderr))
    return searchByRipgrep(host, options, wanted, onEvent, ["--pcre2"])
  if (/error parsing glob/.test(ended.stderr)) throw new Refusal(invalidGlob(ended.stderr))
  if (/regex parse error|regex could not be compiled|not allowed in a regex|PCRE2/.test(ended.stderr))
    throw new Refusal(invalidRegex(wanted.pattern, ended.stderr))
  return { any, trouble: troubleOf(ended.stderr) }
}

function argsOf(wanted: Search): readonly string[] {
  // `$` also matches before a carriage return.
  const flags = [...shapes[wanted.mode].flags, "--crlf", ...scopeFlags(wanted)]
  if (wanted.ignoreCase) flags.push("--ignore-case")
  if (wanted.literal) flags.push("--fixed-strings")
  if (wanted.mode === "content" && wanted.before > 0) flags.push(`--before-context=${wanted.before}`)
  if (wanted.mode === "content" && wanted.after > 0) flags.push(`--after-context=${wanted.after}`)
  if (wanted.file === null) flags.push(...(wanted.globFilter?.flags ?? []))
  // `--`: a pattern may start with a dash.
  return [...flags, "--", wanted.pattern, `./${wanted.file ?? ""}`]
}

interface Shape {
  readonly flags: readonly string[]
  readonly separator: "\n" | "\0"
  reader(): (line: string, whole: boolean) => SearchEvent | null
}

const shapes: Readonly<Record<Search["mode"], Shape>> = {
  content: { flags: ["--json", "--line-number"], separator: "\n", reader: () => readEvent },
  files_with_matches: {
    flags: ["--files-with-matches", "--null"],
    separator: "\0",
    reader: () => (line) => ({ path: plain(line), count: 1 }),
  },
  count: { flags: ["--count", "--with-filename", "--null"], separator: "\n", reader: countReader },
}

/** `path NUL count`; a path may contain a newline. */
function countReader(): (line: string) => SearchEvent | null {
  let begun = ""
  return (line) => {
    const whole = begun + line
    const at = whole.indexOf("\0")
    begun = at === -1 ? `${whole}\n` : ""
    return at === -1 ? null : { path: plain(whole.slice(0, at)), count: Number(whole.slice(at + 1)) }
  }
}

function readEvent(line: string, whole: boolean): SearchEvent | null {
  const type = /^\{"type":"(match|context|end)"/.exec(line)?.[1]
  if (type === undefined) return null
  if (!whole) return tooLong(line, type)
  const event = parseJson(line)
  const data = isRecord(event) ? event["data"] : null
  if (!isRecord(data)) return null
  const path = plain(textOf(data["path"]))
  if (type === "end")
    return data["binary_offset"] === null ? null : { path, remark: "binary file matches", instead: true }
  const text = textOf(data["lines"]).replace(/\r?\n$/, "")
  return { path, line: Number(data["line_number"]), text, hit: type === "match" }
}

/** Only the start of the event was kept; it contains the file name. */
function tooLong(line: string, type: string): SearchEvent | null {
  const name = /^\{"type":"match","data":\{"path":(\{"[a-z]+":"(?:[^"\\]|\\.)*"\})/.exec(line)?.[1]
  if (type !== "match" || name === undefined) return null
  const remark = `a matching line is over ${formatSize(LINE_MAX_BYTES)} long and is not shown`
  return { path: plain(textOf(parseJson(name))), remark, instead: false }
}

/** ripgrep encodes invalid UTF-8 as base64. */
function textOf(value: unknown): string {
  if (!isRecord(value)) return ""
  if (typeof value["text"] === "string") return value["text"]
  return typeof value["bytes"] === "string" ? Buffer.from(value["bytes"], "base64").toString() : ""
}

function plain(path: string): string {
  return path.replace(/^\.\//, "")
}
