import type { View } from "@gong/screen/frame"
import type { Row, Span } from "@gong/screen/row"
import type { Size } from "@gong/screen/frame"
import { widthOf } from "@gong/screen/cells"
import type { Translate } from "@gong/texts/translator"
import { matches, pageOf, passageRows, type Reader, readerRows } from "./reader.ts"
import { oneRow } from "../text/rows.ts"

/** The alternate screen with a page of the text, and a row with the position. */
export function readerView(t: Translate, reader: Reader, size: Size, hint = ""): View {
  const { rows, first } = readerRows(reader, size)
  const head = reader.selected === null ? undefined : passageRows(reader.selected, size.columns)[0]
  const page = rows.slice(first, first + pageOf(size)).map((row) => {
    const { spans } = marked(row, reader.query)
    return {
      spans: row === head ? spans.map((span) => ({ ...span, role: `${span.role ?? ""} inverse`.trimStart() })) : spans,
    }
  })
  const blank = Array.from({ length: pageOf(size) - page.length }, (): Row => ({ spans: [] }))
  const { search } = reader
  if (search !== null) {
    const line = oneRow([{ text: `/${search.text}` }], size.columns)
    const column = Math.min(size.columns - 1, 1 + widthOf(search.text.slice(0, search.caret)))
    return { left: [], live: [...page, ...blank, line], caret: { row: pageOf(size), column } }
  }
  const last = Math.min(rows.length, first + pageOf(size))
  const none = reader.query !== "" && !rows.some((row) => matches(row, reader.query))
  const keys = none
    ? t`"${reader.query}" is not found`
    : hint ||
      [
        ...reader.keys.map(({ about }) => about),
        t`q back · / searches, n next · y copies, v edits · [ ] messages · g G start and end`,
      ].join(" · ")
  const text = t`${reader.title} · rows ${Math.min(first + 1, last)}-${last} of ${rows.length} · ${keys}`
  return { left: [], live: [...page, ...blank, oneRow([{ text, role: "accent" }], size.columns)], caret: null }
}

/** The row with what was searched for in the role `match`. */
function marked(row: Row, query: string): Row {
  // Rows that the terminal breaks would be joined with the one above, which may not be visible.
  const { spans } = row
  if (!matches(row, query)) return { spans }
  return { spans: spans.flatMap((span) => markedSpan(span, query.toLowerCase())) }
}

function markedSpan(span: Span, query: string): readonly Span[] {
  const parts: Span[] = []
  let rest = span.text
  for (let at = rest.toLowerCase().indexOf(query); at >= 0; at = rest.toLowerCase().indexOf(query)) {
    if (at > 0) parts.push({ ...span, text: rest.slice(0, at) })
    parts.push({ text: rest.slice(at, at + query.length), role: "match strong" })
    rest = rest.slice(at + query.length)
  }
  return rest === "" ? parts : [...parts, { ...span, text: rest }]
}
