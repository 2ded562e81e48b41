import type { Block, Line, Span } from "../text/row.ts"
import { collectLeaves, type Rendered, type Surroundings } from "./leaves.ts"
import { inlineLines } from "./inline.ts"
import { columnWidths, headBlocks, rowBlocks, tableOf } from "./table.ts"
import type { Token } from "./parser.ts"
import type { Highlighter } from "../code/colors.ts"

export interface RenderOptions {
  /** Columns of the screen, for tables. */
  readonly columns: number
  /** Colours for a language; null: none. */
  highlighter(language: string): Highlighter | null
}

export interface RenderContext extends RenderOptions, Surroundings {
  /** The first block continues a paragraph: what its last row holds so far; its source begins with `continuation`. */
  readonly head: Line | null
  /** The number of the first item, if it continues a list. */
  readonly number: number | null
}

/** Stands before the source of a continued paragraph, so that its first characters begin no other block. */
export const continuation = "x"

export interface RenderedDocument {
  readonly blocks: readonly Rendered[]
  /** Its last leaf, which may have no line. */
  readonly lastLeaf: number
}

/** The lines of a document. */
export function render(tokens: readonly Token[], context: RenderContext): RenderedDocument {
  const leaves = collectLeaves(context)
  /** Numbers of the next items of the lists around; null: not numbered. */
  const numbers: (number | null)[] = []
  const quotedFrom: number[] = []
  let { head, number } = context

  function pushText(token: Token, inline: Token | undefined): void {
    const isContinued = head !== null
    const children = inline?.children ?? []
    const role = token.type === "heading_open" && !isContinued ? "heading" : undefined
    const [first = [], ...others] = inlineLines(isContinued ? withoutContinuation(children) : children, role)
    const lines = [[...(head ?? []), ...first], ...others]
    head = null
    leaves.push(isContinued ? null : token.map, [lines.map((line) => ({ line, whole: false }))])
  }

  function openItem({ markup }: Token): void {
    const count = numbers.at(-1) ?? null
    const marker = count === null ? "- " : `${count}${markup} `
    if (count !== null) numbers[numbers.length - 1] = count + 1
    leaves.open({ text: marker, role: "muted" }, { text: " ".repeat(marker.length) })
  }

  function openList(token: Token): void {
    const isOrdered = token.type === "ordered_list_open"
    numbers.push(isOrdered ? (number ?? Number(token.attrGet("start") ?? 1)) : null)
    if (isOrdered) number = null
  }

  for (const [at, token] of tokens.entries()) {
    switch (token.type) {
      case "paragraph_open":
      case "heading_open":
        pushText(token, tokens[at + 1])
        break
      case "fence":
      case "code_block":
        leaves.push(token.map, codeLines(token, context))
        break
      case "hr":
        leaves.push(token.map, [[{ line: [{ text: "---", role: "muted" }], whole: false }]])
        break
      case "blockquote_open":
        leaves.open(quoteBar, quoteBar)
        quotedFrom.push(leaves.count)
        break
      case "blockquote_close":
        leaves.close()
        // An empty quotation is a leaf, too.
        if (quotedFrom.pop() === leaves.count) leaves.push(null, [])
        break
      case "bullet_list_open":
      case "ordered_list_open":
        openList(token)
        break
      case "bullet_list_close":
      case "ordered_list_close":
        numbers.pop()
        break
      case "list_item_open":
        openItem(token)
        break
      case "list_item_close":
        if (leaves.isEmptyItem) leaves.push(null, [[{ line: [], whole: false }]])
        leaves.close()
        break
      case "table_open":
        leaves.push(token.map, [tableLines(tokens.slice(at), context.columns - leaves.margin)])
        break
    }
  }
  return { blocks: leaves.blocks, lastLeaf: leaves.count - 1 }
}

const quoteBar: Span = { text: "| ", role: "quote" }

function tableLines(tokens: readonly Token[], columns: number): readonly Block[] {
  const table = tableOf(tokens)
  const widths = columnWidths(table, columns)
  return [...headBlocks(table, widths), ...table.rows.flatMap((row) => rowBlocks(row, table.head, widths))]
}

/** Each line of code is a leaf: text behind it does not change it. */
function codeLines({ content, info }: Token, { highlighter }: RenderOptions): readonly (readonly Block[])[] {
  const highlight = highlighter(languageOf(info))
  // A line of code is complete with its line break.
  const lines = content.replace(/\n$/, "").split("\n")
  return (content === "" ? [] : lines).map((line) => [codeBlock(line, highlight)])
}

export function codeBlock(line: string, highlight: Highlighter | null): Block {
  return { line: highlight?.(line) ?? (line === "" ? [] : [{ text: line }]), whole: true }
}

/** The first word of an info string: `ts` of `ts title="a.ts"`. */
export function languageOf(info: string): string {
  return (/^[^\s{,]+/.exec(info.trim())?.[0] ?? "").toLowerCase()
}

function withoutContinuation([first, ...others]: readonly Token[]): readonly Token[] {
  if (first === undefined) return others
  const rest = Object.assign(Object.create(Object.getPrototypeOf(first) as object) as Token, first)
  rest.content = first.content.slice(continuation.length)
  return [rest, ...others]
}
