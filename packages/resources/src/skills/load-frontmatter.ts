import { phrase, type Text } from "@gong/spec"
import type { ResourceHost } from "./load-files.ts"
import { yamlError } from "./yaml-error.ts"

/** A text file with a header between two lines of `---`. */
export interface FrontmatterText {
  readonly header: Readonly<Record<string, unknown>>
  readonly body: string
  /** Whether the header exists. */
  readonly hasFrontmatter: boolean
  /** The line, from 1, of a key in the header; 1 for a missing key. */
  lineOf(key: string): number
  /** The line, from 1, where the body begins. */
  readonly bodyLine: number
}

export type TextResult =
  | { readonly ok: true; readonly text: FrontmatterText }
  /** `problem`: the problem and its remedy. */
  | { readonly ok: false; readonly line: number; readonly problem: Text }

/** Maximum bytes of a file, and characters of its header. */
export const maxFileBytes = 262_144
const maxHeader = 16_384

/** `given`: its text, if it was already read and is trusted. */
export type TextReader = (path: string, given?: string) => Promise<TextResult>

/** Reads and caches such files of one host: a file is read again only if its size or times changed. */
export function textReader(host: ResourceHost): TextReader {
  let cache = new Map<string, { readonly key: string; readonly read: TextResult }>()
  return async (path, given) => {
    const { key, problem } = given === undefined ? await fileState(host, path) : stateOfText(given)
    if (problem !== null) return { ok: false, line: 1, problem }
    const before = cache.get(path)
    if (before?.key === key) return before.read
    const read = await parse(given?.replace(/^\uFEFF/, "") ?? (await textOf(host, path)))
    // Bounds the cache, since files come and go.
    if (cache.size >= maxCached) cache = new Map()
    cache.set(path, { key, read })
    return read
  }
}

const maxCached = 2_000

/** Splits a text into header lines and body; without an end of the header all of it is the body. */
export function splitFrontmatter(text: string): { readonly header: string; readonly body: string } {
  const split = splitHeader(text)
  return split.ok ? { header: split.header ?? "", body: split.body } : { header: "", body: text.trim() }
}

interface FileState {
  readonly key: string
  readonly problem: Text | null
}

function stateOfText(text: string): FileState {
  return text.length > maxFileBytes ? tooLong(text.length) : { key: text, problem: null }
}

function tooLong(size: number): FileState {
  return {
    key: "",
    problem: phrase`${size} bytes; such a file may have ${maxFileBytes}. Move parts to files beside it.`,
  }
}

async function fileState(host: ResourceHost, path: string): Promise<FileState> {
  const [looked] = await host.look([path])
  if (looked?.ok !== true) {
    const problem = phrase`cannot be read (${looked?.code ?? "EIO"}). Fix its permissions or move it away.`
    return { key: "", problem }
  }
  const { stat } = looked.value
  // A FIFO or a device would block forever.
  if (stat.kind !== "file") return { key: "", problem: phrase`this is no regular file. Put a text file there.` }
  if (stat.size > maxFileBytes) return tooLong(stat.size)
  return { key: `${stat.id} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`, problem: null }
}

/** Empty if it was removed or became unreadable after the check; the next scan reports it. */
async function textOf(host: ResourceHost, path: string): Promise<string> {
  const [read] = await host.readFiles([path], { maxBytes: maxFileBytes })
  return read?.ok === true ? new TextDecoder().decode(read.value.bytes) : ""
}

type Split =
  | { readonly ok: true; readonly header: string | null; readonly body: string; readonly bodyLine: number }
  | { readonly ok: false; readonly line: number; readonly problem: Text }

function splitHeader(text: string): Split {
  const lines = text.split("\n")
  if (lines[0]?.trimEnd() !== "---") return { ok: true, header: null, body: text.trim(), bodyLine: 1 }
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === "---")
  if (end < 0) return { ok: false, line: 1, problem: phrase`the header has no end. Close it with a line of ---.` }
  const header = lines.slice(1, end).join("\n")
  if (header.length > maxHeader) {
    return {
      ok: false,
      line: 1,
      problem: phrase`the header has ${header.length} characters; it may have ${maxHeader}. Shorten it.`,
    }
  }
  const body = lines.slice(end + 1)
  const blank = body.findIndex((line) => line.trim() !== "")
  return { ok: true, header, body: body.join("\n").trim(), bodyLine: end + 2 + Math.max(blank, 0) }
}

async function parse(text: string): Promise<TextResult> {
  const split = splitHeader(text)
  if (!split.ok) return split
  const { body, bodyLine } = split
  if (split.header === null) {
    return { ok: true, text: { header: {}, body, hasFrontmatter: false, lineOf: () => 1, bodyLine } }
  }
  const { isAlias, isCollection, isMap, LineCounter, parseDocument, visit } = await import("yaml")
  const lineCounter = new LineCounter()
  // The header begins on the second line of the file.
  const lineAt = (offset: number): number => lineCounter.linePos(offset).line + 1
  const document = parseDocument(split.header, { lineCounter, prettyErrors: false })
  const [error] = document.errors
  if (error !== undefined) {
    const [at] = error.pos
    return { ok: false, line: lineAt(at), problem: yamlError(error, lineCounter.linePos(at).col) }
  }
  const { contents } = document
  if (contents !== null && !isMap(contents)) {
    return { ok: false, line: 2, problem: phrase`the header is no list of \`key: value\` lines. Write it as such.` }
  }
  let hasCompoundKey = false
  visit(document, {
    Pair(_, { key }) {
      hasCompoundKey ||= isCollection(key) || isAlias(key)
      return hasCompoundKey ? visit.BREAK : undefined
    },
  })
  // The library serializes such keys once per nesting level, so a page of them would take hours.
  if (hasCompoundKey)
    return { ok: false, line: 2, problem: phrase`a key of the header is a list or a map. Write keys as plain words.` }
  const lines = new Map<string, number>()
  for (const { key } of contents?.items ?? []) {
    const { range } = key as { readonly range?: readonly [number, number, number] | null }
    if (range) lines.set(String(key), lineAt(range[0]))
  }
  const header = withoutAliases(() => document.toJS({ maxAliasCount: 20 }) as Readonly<Record<string, unknown>> | null)
  if (header === null)
    return { ok: false, line: 2, problem: phrase`the header repeats itself too often. Write it without aliases.` }
  return { ok: true, text: { header, body, hasFrontmatter: true, lineOf: (key) => lines.get(key) ?? 1, bodyLine } }
}

/** The parser rejects aliases that multiply. */
function withoutAliases(
  make: () => Readonly<Record<string, unknown>> | null,
): Readonly<Record<string, unknown>> | null {
  try {
    return make() ?? {}
  } catch {
    return null
  }
}
