import { type Block, emptyRow, type Line, type Row } from "@gong/screen/row"
import { widthOf, withoutTabs } from "@gong/screen/cells"
import { truncated, wrapCells, wrapWords } from "@gong/screen/wrap"
import { printable, printableLine } from "@gong/texts/printable"

/** The rows of a block; nothing in it acts on the terminal. */
export function blockRows({ line, whole, indent = [], hanging, image }: Block, columns: number): readonly Row[] {
  if (image !== undefined) return [...Array.from({ length: image.rows - 1 }, () => emptyRow), { spans: indent, image }]
  const clean = cleanLine(line)
  return whole
    ? wrapCells([...indent, ...clean], columns)
    : wrapWords(clean, { columns, indent, ...(hanging && { hanging }) })
}

function cleanLine(line: Line): Line {
  let column = 0
  return line.map((span) => {
    const text = withoutTabs(printable(span.text), column)
    column += widthOf(text)
    return { ...span, text }
  })
}

/** A line cut to one row. */
export function oneRow(line: Line, columns: number): Row {
  return {
    spans: truncated(
      line.map((span) => ({ ...span, text: withoutTabs(printableLine(span.text)) })),
      columns,
    ),
  }
}
