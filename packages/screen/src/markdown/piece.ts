import type { Block, Line } from "../text/row.ts"
import { wrapWords } from "../text/wrap.ts"
import { continuation, render, type RenderContext, type RenderedDocument, type RenderOptions } from "./blocks.ts"
import { isBlank, type Rendered } from "./leaves.ts"
import { type Definitions, parse, type Token } from "./parser.ts"

/** The end of a document, from the start of the block that is being written. */
export interface Piece extends Pick<RenderContext, "before" | "head" | "number"> {
  readonly text: string
  /** Rendered blocks that are final already. */
  readonly shown: number
  /** The complete lines that were read last, in characters. */
  readonly readTo: number
  /** The next length at which a long paragraph may be cut. */
  readonly cutAt: number
  /** The start of the line at whose end a paragraph may be cut. */
  readonly lineAt: number
}

export interface Reader extends RenderOptions {
  readonly definitions: Definitions
}

export interface Taken {
  /** Blocks that have become final. */
  readonly blocks: readonly Block[]
  readonly piece: Piece
  /** The last block of the piece; it is not written to its end. Null: the piece is unchanged. */
  readonly last: { readonly tokens: readonly Token[]; readonly lines: readonly string[] } | null
}

/** A longer paragraph is cut at a word behind which no markup is open; at this length at the latest. */
const CUT_MIN = 120
const CUT_STEP = 120
const CUT_MAX = 600
/** A longer piece is read again only when it has grown by a quarter. */
const READ_AGAIN_CHARS = 500
/** A longer quotation or item of a list is taken as it is, so that it is not read again and again. */
const PIECE_MAX = 4_096

export function pieceOf(before: Piece["before"], text = "", more: Partial<Piece> = {}): Piece {
  return { text, before, shown: 0, head: null, number: null, readTo: 0, cutAt: CUT_MIN, lineAt: 0, ...more }
}

/** All lines of a piece that are not final; they may be incomplete. */
export function openBlocks(piece: Piece, reader: Reader): readonly Block[] {
  // An incomplete definition must not stay.
  const definitions = structuredClone(reader.definitions)
  const source = sourceOf(piece, piece.text)
  return blocksOf(rendered(piece, source, parse(source, definitions), reader).blocks.slice(piece.shown))
}

/** Takes what is final after a complete line: all before the last block. */
export function takeLine(piece: Piece, reader: Reader): Taken {
  const { length } = piece.text
  if (length > READ_AGAIN_CHARS && length < piece.readTo * 1.25) return { blocks: [], piece, last: null }
  const source = sourceOf(piece, piece.text)
  const tokens = parse(source, reader.definitions)
  const all = rendered(piece, source, tokens, reader)
  const isLong = length > PIECE_MAX
  const final = all.blocks.filter(({ leaf }) => isLong || leaf < all.lastLeaf)
  const shown = Math.max(piece.shown, final.length)
  const blocks = blocksOf(final.slice(piece.shown))
  const lines = source.split("\n")
  if (isLong) return { blocks, piece: dropped(piece, lines, lines.length - 1), last: null }
  return { blocks, piece: behind({ ...piece, shown, readTo: length }, tokens, lines), last: { tokens, lines } }
}

/** Takes everything, at the end of the document or where the last block is taken line by line. */
export function takeAll(piece: Piece, reader: Reader): readonly Block[] {
  const source = sourceOf(piece, piece.text)
  return blocksOf(rendered(piece, source, parse(source, reader.definitions), reader).blocks.slice(piece.shown))
}

/** Takes the first lines of a paragraph, if no markup is open behind them and what follows can be no other block. */
export function takeParagraphLine(piece: Piece, reader: Reader): Pick<Taken, "blocks" | "piece"> {
  let { lineAt } = piece
  for (;;) {
    const end = piece.text.indexOf("\n", lineAt)
    const next = piece.text.slice(end + 1, end + 4)
    if (end < 0 || (next.length < 3 && !next.includes("\n"))) return { blocks: [], piece: { ...piece, lineAt } }
    const isEnd = isBlank(piece.text.slice(lineAt, end))
    lineAt = isEnd ? Infinity : end + 1
    if (isEnd || blockStart.test(next)) continue
    const source = sourceOf(piece, piece.text.slice(0, end))
    const tokens = parse(source, { ...reader.definitions })
    if (tokens[0]?.type !== "paragraph_open" || tokens.length !== 3)
      return { blocks: [], piece: { ...piece, lineAt: Infinity } }
    // A definition of a link may have further lines.
    if (/^\s*\[[^\]]*\]:/.test(source) || !isClosed(tokens[1]?.children ?? [])) continue
    const blocks = blocksOf(rendered(piece, source, tokens, reader).blocks)
    return { blocks, piece: pieceOf("text", piece.text.slice(lineAt), { head: [] }) }
  }
}

/** What may end a paragraph, or make a heading or a table of it. */
const blockStart = /^(?:[\s#>+=|:~\d-]|\*(?!\*[^\s*])|```)/

/** Takes the first part of a long paragraph; its last row is not full, and begins the rest. */
export function takeParagraph(piece: Piece, reader: Reader): Pick<Taken, "blocks" | "piece"> {
  let { cutAt } = piece
  for (; cutAt < piece.text.length; cutAt += CUT_STEP) {
    const isForced = cutAt >= CUT_MAX
    const word = piece.text.slice(cutAt, cutAt + CUT_STEP).search(wordStart)
    const at = cutAt + Math.max(0, word)
    // The word and the character behind it must be known.
    if (piece.text.length <= (word < 0 ? cutAt + CUT_STEP : at + 1)) break
    if (word < 0 && !isForced) continue
    const source = sourceOf(piece, piece.text.slice(0, at))
    const tokens = parse(source, { ...reader.definitions })
    if (tokens[0]?.type !== "paragraph_open" || tokens.length !== 3)
      return { blocks: [], piece: { ...piece, cutAt: Infinity } }
    // The first row of a table may be that long.
    const isSettled = !source.trimStart().startsWith("|") && isClosed(tokens[1]?.children ?? [])
    if (isForced || isSettled) return cutBehind(piece, at, rendered(piece, source, tokens, reader).blocks, reader)
  }
  return { blocks: [], piece: { ...piece, cutAt } }
}

/** Where a row can end: at a blank, or in Chinese and Japanese. */
const wordStart = /[\s\u3000-\u9fff\uff00-\uffef]/

function cutBehind(
  piece: Piece,
  at: number,
  all: readonly Rendered[],
  { columns }: Reader,
): Pick<Taken, "blocks" | "piece"> {
  const blocks = blocksOf(all)
  const rows = wrapWords(blocks.at(-1)?.line ?? [], { columns }).map(({ spans }) => spans)
  const head: Line = rows.at(-1) ?? []
  const left = rows.slice(0, -1).map((line): Block => ({ line, whole: false }))
  return { blocks: [...blocks.slice(0, -1), ...left], piece: pieceOf("text", piece.text.slice(at), { head }) }
}

/** No character is left over that markup behind it could pair with. */
function isClosed(tokens: readonly Token[]): boolean {
  const left = tokens
    .filter(({ type }) => type === "text")
    .map(({ content }) => content)
    .join("")
  return !/[*_~`[\]\\]/.test(left.replaceAll(/\[[^[\]]*\]|(?<=\w)_(?=\w)/g, ""))
}

/** The piece from its last block on, or from the last item of its list. */
function behind(piece: Piece, tokens: readonly Token[], lines: readonly string[]): Piece {
  const at = tokens.findLastIndex(({ level, nesting }) => level === 0 && nesting >= 0)
  const startsAt = tokens[at]?.map?.[0] ?? 0
  const items = tokens.slice(at).filter(({ type, level }) => type === "list_item_open" && level === 1)
  const itemAt = items.at(-1)?.map?.[0] ?? 0
  if (items.length > 1) {
    const start = startsAt === 0 && piece.number !== null ? piece.number : Number(tokens[at]?.attrGet("start") ?? 1)
    const number = tokens[at]?.type === "ordered_list_open" ? start + items.length - 1 : null
    return { ...dropped(piece, lines, itemAt), number }
  }
  return startsAt > 0 ? dropped(piece, lines, startsAt) : piece
}

/** The piece from a line on; all before is shown. */
function dropped(piece: Piece, lines: readonly string[], at: number): Piece {
  const left = lines.slice(0, at)
  const length = left.reduce((total, line) => total + line.length + 1, 0) - sourceOf(piece, "").length
  // Blank lines at the start of a document are not shown.
  const isStart = piece.before === "start" && left.every((line) => isBlank(line))
  return pieceOf(isStart ? "start" : isBlank(left.at(-1)) ? "gap" : "text", piece.text.slice(length))
}

function sourceOf({ head }: Piece, text: string): string {
  return head === null ? text : continuation + text
}

function rendered(
  { before, head, number }: Piece,
  text: string,
  tokens: readonly Token[],
  { columns, highlighter }: Reader,
): RenderedDocument {
  return render(tokens, { columns, highlighter, source: text.split("\n"), before, head, number })
}

function blocksOf(all: readonly Rendered[]): readonly Block[] {
  return all.map(({ block }) => block)
}
