import { StringStream } from "@codemirror/streamparser"
import type { Line, Span } from "../text/row.ts"
import { type Parser, parserLoaders } from "./languages.ts"

/** Colours the lines of one piece of code, in their order. Never fails: what a parser cannot read has no colours. */
export type Highlighter = (line: string) => Line

const TAB_COLUMNS = 8
const INDENT_UNIT = 2
/** Longer lines are data or minified. */
const LINE_MAX = 2_000

const loaded = new Map<string, Parser | null>()

/** Loads the parser of a language, if there is one. Never rejects. */
export async function loadLanguage(language: string): Promise<void> {
  if (loaded.has(language)) return
  const parser = await parserLoaders
    .get(language)?.()
    .catch(() => null)
  loaded.set(language, parser ?? null)
}

export function isLoaded(language: string): boolean {
  return loaded.has(language) || !parserLoaders.has(language)
}

/** Languages of the code blocks in a text in Markdown, also in lists and quotations. */
export function languagesIn(text: string): readonly string[] {
  return [...text.matchAll(fence)].map(([, language = ""]) => language.toLowerCase())
}

/** Every repetition is bounded: a text may consist of blanks or marks. */
const fence =
  /^[ \t>]{0,20}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}){0,4}(?:`{3,20}|~{3,20})[ \t]{0,20}([^\s`{,]{1,40})[^\n]*\n/gm

/** Null: the language is unknown, or was not loaded. */
export function highlighterOf(language: string): Highlighter | null {
  const parser = loaded.get(language) ?? null
  if (parser === null) return null
  const state = parser.startState?.(INDENT_UNIT) ?? {}
  let isBroken = false
  return (line) => {
    if (isBroken || line.length > LINE_MAX) return plain(line)
    try {
      if (line !== "") return coloured(parser, state, line)
      parser.blankLine?.(state, INDENT_UNIT)
      return []
    } catch {
      isBroken = true
      return plain(line)
    }
  }
}

function plain(line: string): Line {
  return line === "" ? [] : [{ text: line }]
}

function coloured(parser: Parser, state: unknown, line: string): Line {
  const stream = new StringStream(line, TAB_COLUMNS, INDENT_UNIT)
  const spans: Span[] = []
  for (let steps = 0; !stream.eol(); steps++) {
    stream.start = stream.pos
    const role = roleOf(parser.token(stream, state))
    // A parser may change its state without taking a character, but not for ever.
    if (stream.pos === stream.start && steps > line.length * 2 + 10) stream.next()
    const text = stream.current()
    const last = spans.at(-1)
    if (last !== undefined && last.role === role) spans[spans.length - 1] = { ...last, text: last.text + text }
    else if (text !== "") spans.push({ text, ...(role !== undefined && { role }) })
  }
  return spans
}

/** The first known one of the names of a token: `variableName.special string`. */
function roleOf(token: string | null): string | undefined {
  return token
    ?.split(/[\s.]/)
    .map((name) => roles[name])
    .find((role) => role !== undefined)
}

const roles: Readonly<Record<string, string>> = {
  keyword: "keyword",
  controlKeyword: "keyword",
  definitionKeyword: "keyword",
  moduleKeyword: "keyword",
  operatorKeyword: "keyword",
  modifier: "keyword",
  meta: "keyword",
  tag: "keyword",
  tagName: "keyword",
  string: "string",
  string2: "string",
  regexp: "string",
  character: "string",
  attributeValue: "string",
  number: "number",
  atom: "number",
  bool: "number",
  literal: "number",
  comment: "comment",
  lineComment: "comment",
  blockComment: "comment",
  inserted: "added",
  deleted: "removed",
}
