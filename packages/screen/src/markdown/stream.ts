import type { Block } from "../text/row.ts"
import { codeBlock, languageOf, type RenderOptions } from "./blocks.ts"
import type { Highlighter } from "../code/colors.ts"
import { parse, type Token } from "./parser.ts"
import { openBlocks, pieceOf, type Reader, takeAll, takeLine, takeParagraph, takeParagraphLine } from "./piece.ts"
import { columnWidths, MEASURED_ROWS, rowBlocks, type Table, tableOf } from "./table.ts"

/** Reads Markdown while it is written. What it shows does not depend on the pieces in which the text arrives. */
export interface MarkdownStream {
  /** Takes more text. Returns the lines that have become final. */
  feed(text: string): readonly Block[]
  /** The lines that further text can change. Read again at each call. */
  open(): readonly Block[]
  /** The text is complete. Returns its remaining lines; the next text begins another document. */
  end(): readonly Block[]
}

/** A block whose further lines do not change those before. */
type LineMode =
  | { readonly kind: "fence"; readonly close: RegExp; readonly indent: RegExp; readonly highlight: Highlighter | null }
  | {
      readonly kind: "table"
      readonly source: string
      readonly table: Table
      readonly widths: readonly number[] | null
    }

export function markdownStream(options: RenderOptions): MarkdownStream {
  let reader: Reader = { ...options, definitions: {} }
  let piece = pieceOf("start")
  let mode: LineMode | null = null
  /** The beginning of a line in a mode. */
  let line = ""

  /** Takes at most one line, with or without its end. */
  function take(text: string): readonly Block[] {
    if (mode !== null) {
      line += text
      if (!line.endsWith("\n")) return []
      const whole = line
      line = ""
      const blocks = lineIn(mode, whole.slice(0, -1))
      if (blocks !== null) return blocks
      const isFence = mode.kind === "fence"
      mode = null
      piece = pieceOf("text")
      // The line that ends a table begins something else.
      return isFence ? [] : take(whole)
    }
    piece = { ...piece, text: piece.text + text }
    const blocks: Block[] = []
    for (const cutParagraph of [takeParagraphLine, takeParagraph])
      for (let isCut = true; isCut;) {
        const cut = cutParagraph(piece, reader)
        piece = cut.piece
        blocks.push(...cut.blocks)
        isCut = cut.blocks.length > 0
      }
    if (!piece.text.endsWith("\n")) return blocks
    const taken = takeLine(piece, reader)
    piece = taken.piece
    blocks.push(...taken.blocks)
    mode = taken.last && modeOf(taken.last.tokens, taken.last.lines, reader)
    if (mode !== null) blocks.push(...takeAll(piece, reader))
    return blocks
  }

  function lineIn(current: LineMode, text: string): readonly Block[] | null {
    if (current.kind === "fence")
      return current.close.test(text) ? null : [codeBlock(text.replace(current.indent, ""), current.highlight)]
    const { source, table, widths } = current
    const tokens = parse(`${source}\n${text}\n`, {})
    const [row] = tokens[0]?.type === "table_open" && isBare(tokens) ? tableOf(tokens).rows : []
    return row === undefined ? null : rowBlocks(row, table.head, widths)
  }

  return {
    feed: (text) => text.split(/(?<=\n)/).flatMap(take),
    open() {
      if (mode === null) return openBlocks(piece, reader)
      return line === "" ? [] : [codeBlock(line, null)]
    },
    end() {
      const blocks = mode !== null && line !== "" ? take("\n") : []
      const rest = mode === null ? takeAll(piece, reader) : []
      reader = { ...options, definitions: {} }
      piece = pieceOf("start")
      mode = null
      return [...blocks, ...rest]
    },
  }
}

/** The mode in which the last block is read on; null: none. */
function modeOf(tokens: readonly Token[], lines: readonly string[], reader: Reader): LineMode | null {
  const at = tokens.findLastIndex(({ level, nesting }) => level === 0 && nesting >= 0)
  const token = tokens[at]
  const [from = 0, to = 0] = token?.map ?? []
  if (token?.type === "fence") {
    const close = new RegExp(`^ {0,3}${token.markup[0] ?? "`"}{${token.markup.length},}[ \\t]*$`)
    if (to - from > 1 && close.test(lines[to - 1] ?? "")) return null
    const highlight = reader.highlighter(languageOf(token.info))
    // The colours depend on the lines before.
    for (const text of token.content.split("\n").slice(0, -1)) highlight?.(text)
    const indent = new RegExp(`^ {0,${/^ */.exec(lines[from] ?? "")?.[0].length ?? 0}}`)
    return { kind: "fence", close, indent, highlight }
  }
  if (token?.type !== "table_open") return null
  const table = tableOf(tokens.slice(at))
  if (table.rows.length < MEASURED_ROWS) return null
  const source = lines.slice(from, from + 2).join("\n")
  return { kind: "table", source, table, widths: columnWidths(table, reader.columns) }
}

/** Nothing follows the first block. */
function isBare(tokens: readonly Token[]): boolean {
  return tokens.filter(({ level, nesting }) => level === 0 && nesting > 0).length === 1
}
