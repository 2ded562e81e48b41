import { edit, type Editor, emptyEditor, insert } from "@gong/screen/editor"
import type { Size } from "@gong/screen/frame"
import type { Input, Key } from "@gong/screen/keys"
import { type Block, type Row, textOf } from "@gong/screen/row"
import { type Keymap, typedText } from "../input/keymap.ts"
import { blockRows } from "../text/rows.ts"

/** A part of a text that is read: one message, call or notice. */
export interface Passage {
  readonly blocks: readonly Block[]
  /** Of the user or the model. */
  readonly isMessage: boolean
  /** As it was written; absent: its lines. */
  readonly source?: string
}

/** A long text on the alternate screen of the terminal. */
export interface Reader {
  /** Passages for another one are late. */
  readonly id: number
  readonly title: string
  /** Further keys that end it. */
  readonly keys: readonly ReaderKey[]
  /** Earlier ones are added while it is shown. */
  readonly passages: readonly Passage[]
  /** The one that was moved to; null: none. */
  readonly selected: Passage | null
  /** Rows below the visible ones: they stay when earlier passages are added. */
  readonly below: number
  /** What is searched for. */
  readonly query: string
  /** The line in which the query is typed; null: closed. */
  readonly search: Editor | null
}

/** One lower-case letter, and its effect. */
export interface ReaderKey {
  readonly key: string
  readonly about: string
}

export interface ReaderContext {
  readonly size: Size
  readonly keymap: Keymap
}

export type ReaderResult =
  | { readonly kind: "open"; readonly reader: Reader; readonly action?: PassageAction }
  /** `key`: one of its own keys. */
  | { readonly kind: "closed"; readonly key: string | null }

/** Copies a passage, or opens it in the editor. */
export interface PassageAction {
  readonly kind: "copy-text" | "edit-text"
  readonly text: string
}

/** What is read. */
export interface ReaderText {
  readonly title: string
  readonly keys: readonly ReaderKey[]
  /** The end of the text that is visible first. */
  readonly opensAt: "start" | "end"
}

export function openReader({ title, keys, opensAt }: ReaderText, id = 0): Reader {
  const below = opensAt === "end" ? 0 : Infinity
  return { id, title, keys, passages: [], selected: null, below, query: "", search: null }
}

/** Rows of text that are visible at once; the last row of the screen is free, the one above shows the position. */
export function pageOf({ rows }: Size): number {
  return Math.max(1, rows - 2)
}

const known = new WeakMap<Passage, { readonly columns: number; readonly rows: readonly Row[] }>()

export function passageRows(passage: Passage, columns: number): readonly Row[] {
  const last = known.get(passage)
  if (last?.columns === columns) return last.rows
  const rows = passage.blocks.flatMap((block) => blockRows(block, columns))
  known.set(passage, { columns, rows })
  return rows
}

/** All rows of the text, and the first visible one. */
export function readerRows(
  { passages, below }: Reader,
  size: Size,
): { readonly rows: readonly Row[]; readonly first: number } {
  const rows = passages.flatMap((passage) => passageRows(passage, size.columns))
  const last = Math.max(0, rows.length - pageOf(size))
  return { rows, first: Math.max(0, last - below) }
}

/** Takes a key or text. */
export function takeReaderInput(reader: Reader, input: Input, { size, keymap }: ReaderContext): ReaderResult {
  if (reader.search !== null) return { kind: "open", reader: searching(reader, reader.search, input, { size, keymap }) }
  if (input.kind === "text") return takeText(reader, input.text, { size, keymap })
  if (input.kind !== "key") return { kind: "open", reader }
  const { key } = input
  const action = keymap.actionOf(key)
  const leaves = action !== null && "do" in action && ["stop", "interrupt", "end", "transcript"].includes(action.do)
  const letter = typedText(key)?.normalize("NFKC")
  if (leaves || letter === "q") return { kind: "closed", key: null }
  if (reader.keys.some((own) => own.key === letter)) return { kind: "closed", key: letter ?? null }
  if (letter === "y" || letter === "v") {
    const text = sourceOf(currentPassage(reader, size))
    return { kind: "open", reader, action: { kind: letter === "y" ? "copy-text" : "edit-text", text } }
  }
  return { kind: "open", reader: moved({ ...reader, selected: null }, key, size, reader.selected) }
}

function sourceOf(passage: Passage | undefined): string {
  return passage?.source ?? passage?.blocks.map(({ line }) => textOf(line)).join("\n") ?? ""
}

/** The selected passage, or the last message at the end of the text, or the passage in the first visible row. */
function currentPassage(reader: Reader, size: Size): Passage | undefined {
  if (reader.selected !== null) return reader.selected
  if (reader.below === 0) return reader.passages.findLast(({ isMessage }) => isMessage) ?? reader.passages.at(-1)
  const { first } = readerRows(reader, size)
  let end = 0
  return reader.passages.find((passage) => (end += passageRows(passage, size.columns).length) > first)
}

/** Characters that arrive at once are keys, too. */
function takeText(reader: Reader, text: string, context: ReaderContext): ReaderResult {
  let result: ReaderResult = { kind: "open", reader }
  for (const name of text) {
    if (result.kind === "closed") return result
    const key = { name: name === " " ? "space" : name, ctrl: false, alt: false, shift: false }
    result = takeReaderInput(result.reader, { kind: "key", key }, context)
  }
  return result
}

/** `selected`: the passage before the key. */
function moved(reader: Reader, key: Key, size: Size, selected: Passage | null): Reader {
  const page = pageOf(size)
  const by = (rows: number): Reader => scrolled(reader, rows, size)
  switch (typedText(key)?.normalize("NFKC") ?? key.name) {
    case "up":
    case "k":
      return by(-1)
    case "down":
    case "j":
    case "enter":
      return by(1)
    case "pageup":
    case "b":
      return by(-page)
    case "pagedown":
    case " ":
      return by(page)
    case "home":
    case "g":
      return by(-Infinity)
    case "end":
    case "G":
      return by(Infinity)
    case "/":
      return { ...reader, search: emptyEditor }
    case "n":
      return found(reader, 1, size)
    case "N":
      return found(reader, -1, size)
    case "[":
      return toMessage(reader, -1, size, selected)
    case "]":
      return toMessage(reader, 1, size, selected)
    default:
      return reader
  }
}

function scrolled(reader: Reader, rows: number, size: Size): Reader {
  const all = readerRows(reader, size)
  return at(reader, all.first + rows, all.rows.length, size)
}

/** The row becomes the first visible one. */
function at(reader: Reader, first: number, count: number, size: Size): Reader {
  const last = Math.max(0, count - pageOf(size))
  return { ...reader, below: last - Math.max(0, Math.min(last, first)) }
}

function searching(reader: Reader, editor: Editor, input: Input, { size, keymap }: ReaderContext): Reader {
  if (input.kind === "text" || input.kind === "paste")
    return { ...reader, search: insert(editor, input.text.replaceAll("\n", " ")) }
  if (input.kind !== "key") return reader
  const action = keymap.actionOf(input.key)
  if (input.key.name === "enter") return found({ ...reader, search: null, query: editor.text }, 1, size, true)
  if (action !== null && "edit" in action) return { ...reader, search: edit(editor, action.edit) }
  if (action !== null) return { ...reader, search: null }
  const text = typedText(input.key)
  return text === null ? reader : { ...reader, search: insert(editor, text) }
}

/** The next row with the query below the first visible one, or above it; the search begins again at the other end. */
function found(reader: Reader, way: 1 | -1, size: Size, here = false): Reader {
  const { rows, first } = readerRows(reader, size)
  if (reader.query === "" || rows.length === 0) return reader
  for (let step = here ? 0 : 1; step <= rows.length; step++) {
    const row = (first + way * step + rows.length * 2) % rows.length
    if (matches(rows[row], reader.query)) return at(reader, row, rows.length, size)
  }
  return reader
}

export function matches(row: Row | undefined, query: string): boolean {
  return query !== "" && row !== undefined && textOf(row.spans).toLowerCase().includes(query.toLowerCase())
}

/** Selects the message before or behind the selected one, or the first visible row. */
function toMessage(reader: Reader, way: 1 | -1, size: Size, selected: Passage | null): Reader {
  const { rows, first } = readerRows(reader, size)
  const starts: { readonly passage: Passage; readonly row: number }[] = []
  let row = 0
  for (const passage of reader.passages) {
    if (passage.isMessage) starts.push({ passage, row })
    row += passageRows(passage, size.columns).length
  }
  const from = starts.find(({ passage }) => passage === selected)?.row ?? first
  const next = way > 0 ? starts.find((start) => start.row > from) : starts.findLast((start) => start.row < from)
  if (next === undefined) return { ...reader, selected }
  return { ...at(reader, next.row, rows.length, size), selected: next.passage }
}
