import type { View } from "@gong/screen/frame"
import { outputReader } from "@gong/screen/command-output"
import { emptyRow, type Line, type Row } from "@gong/screen/row"
import { widthOf, withoutTabs } from "@gong/screen/cells"
import { lineWidth, wrapEdited, wrapWords } from "@gong/screen/wrap"
import { printable, printableLine } from "@gong/texts/printable"
import type { Translate } from "@gong/texts/translator"
import { type Dialog, shownRows } from "./dialog/dialog.ts"
import { nameOf } from "./input/keymap.ts"
import { blockRows, oneRow } from "./text/rows.ts"
import type { State } from "./state.ts"

/** Rows of a list that are visible at once, of waiting messages and of the to-do list, and of the output of a running call. */
const PICK_ROWS = 12
const WAITING_ROWS = 5
/** Rows about the selected row of a list. */
const PREVIEW_ROWS = 6
const TAIL_ROWS = 5
/** Rows of completions, and where their descriptions begin. */
const LIST_ROWS = 8
const ABOUT_COLUMN = 18

interface Part {
  readonly rows: readonly Row[]
  /** Where the cursor is in them; null: not here. */
  readonly caret: { readonly row: number; readonly column: number } | null
}

/** The screen of a state. Blocks leave the live region at once; what is below them is drawn anew as it changes. */
export function view(t: Translate, state: State): View {
  const { size, blocks } = state
  const left = blocks.flatMap((block) => blockRows(block, size.columns))
  const [dialog] = state.dialogs
  const below = dialog === undefined ? basePart(t, state) : dialogPart(t, dialog, state)
  const status = statusRow(state)
  const list = dialog === undefined ? completionRows(state) : []
  const height = Math.max(1, size.rows - 1)
  const room = Math.max(0, height - below.rows.length - list.length - status.length)
  const above = [
    ...openRows(state),
    ...callRows(state),
    ...workRows(t, state),
    ...todoRows(t, state),
    ...waitingRows(t, state),
    emptyRow,
  ]
  const shown = cut(above, room)
  const live = [...shown, ...below.rows, ...list, ...status]
  const caret = below.caret && { row: shown.length + below.caret.row, column: below.caret.column }
  return { left, live, caret }
}

/** The last rows. The first of them continues none: what it continued is not shown. */
function cut(rows: readonly Row[], count: number): readonly Row[] {
  const [first, ...others] = rows.slice(Math.max(0, rows.length - count))
  return first === undefined ? [] : [{ spans: first.spans }, ...others]
}

/** The lines of the reply that are not final. */
function openRows({ reply, size }: State): readonly Row[] {
  return reply().flatMap((block) => blockRows(block, size.columns))
}

function callRows({ calls, now, size }: State): readonly Row[] {
  return calls.flatMap(({ title, startedAt, tail, isProse }) => [
    oneRow([{ text: `  ${title}` }, { text: `  ${elapsed(now - startedAt)}`, role: "muted" }], size.columns),
    ...tail.flatMap((line) => tailRows(line, isProse, size.columns)).slice(-TAIL_ROWS),
  ])
}

function tailRows(line: Line, isProse: boolean, columns: number): readonly Row[] {
  const indent = [{ text: "    " }]
  return isProse ? blockRows({ line, whole: false, indent }, columns) : [oneRow([...indent, ...line], columns)]
}

/** Whole seconds: a row that changes more often costs bytes. */
function elapsed(ms: number): string {
  return `${Math.floor(ms / 1_000)} s`
}

function workRows(t: Translate, { isRunning, isWatching, now, runningSince, size, dialogs }: State): readonly Row[] {
  if (!isRunning || dialogs.length > 0) return []
  const time = elapsed(now - runningSince)
  const text = isWatching ? t`  working ${time}` : t`  working ${time} · Esc stops`
  return [oneRow([{ text, role: "muted" }], size.columns)]
}

function waitingRows(t: Translate, { waiting, size }: State): readonly Row[] {
  const texts = waiting.map((text) => t`  queued: ${text.replaceAll("\n", " ")}`)
  return firstRows(t, texts, size.columns)
}

/** Between runs the list stands in the transcript. */
function todoRows(t: Translate, { todos, isRunning, size }: State): readonly Row[] {
  const texts = todos.map((text) => `  ${text}`)
  return isRunning ? firstRows(t, texts, size.columns) : []
}

function firstRows(t: Translate, texts: readonly string[], columns: number): readonly Row[] {
  const more = texts.length - WAITING_ROWS
  const shown = [...texts.slice(0, WAITING_ROWS), ...(more > 0 ? [t`  and ${more} more`] : [])]
  return shown.map((text) => oneRow([{ text, role: "muted" }], columns))
}

function completionRows({ completion, size }: State): readonly Row[] {
  if (completion === null) return []
  const { items, at } = completion
  const from = Math.max(0, Math.min(at - Math.floor(LIST_ROWS / 2), items.length - LIST_ROWS))
  return items.slice(from, from + LIST_ROWS).map(({ value, about }, index) => {
    const isSelected = from + index === at
    const name = { text: `${isSelected ? "> " : "  "}${value}`, ...(isSelected && { role: "accent" }) }
    const gap = " ".repeat(Math.max(2, ABOUT_COLUMN - widthOf(value)))
    return oneRow(about === "" ? [name] : [name, { text: `${gap}${about}`, role: "muted" }], size.columns)
  })
}

function modeOf({ vim }: State): readonly string[] {
  if (vim === null || vim.mode === "insert") return []
  return [`${vim.mode === "normal" ? "NORMAL" : "VISUAL"} ${vim.pending}`.trimEnd()]
}

/** The keys that continue a sequence. */
function prefixRows({ prefix, keymap, size }: State): readonly Row[] {
  const next = keymap.rows.flatMap((row) =>
    row.keys
      .filter((key) => key.startsWith(`${prefix} `))
      .map((key) => `${key.slice(prefix.length + 1)} ${nameOf(row)}`),
  )
  if (prefix === "" || next.length === 0) return []
  const texts: string[] = []
  for (const [at, key] of next.entries()) {
    const longer = at === 0 ? `${prefix}: ${key}` : `${texts.at(-1)} · ${key}`
    if (at === 0 || widthOf(longer) <= size.columns) texts.splice(-1, 1, longer)
    else texts.push(key)
  }
  return texts.map((text) => oneRow([{ text, role: "muted" }], size.columns))
}

function statusRow(state: State): readonly Row[] {
  const { status, size, hint } = state
  const next = prefixRows(state)
  if (next.length > 0) return next
  if (hint !== "") return [oneRow([{ text: hint, role: "muted" }], size.columns)]
  let shown = [...modeOf(state), ...status]
  // The last parts are left out first.
  while (shown.length > 1 && widthOf(shown.join(" · ")) > size.columns) shown = shown.slice(0, -1)
  // The user's own row may have colours.
  return shown.length === 0 ? [] : [oneRow(outputReader().line(shown.join(" · "), "muted"), size.columns)]
}

const PROMPT = "> "

function basePart(t: Translate, { editor, size, isWatching }: State): Part {
  if (isWatching)
    return { rows: [oneRow([{ text: t`watching, read-only · Esc leaves`, role: "muted" }], size.columns)], caret: null }
  return editorPart(editor.text, editor.caret, {
    prompt: PROMPT,
    columns: size.columns,
    most: Math.max(3, Math.floor(size.rows / 3)),
  })
}

interface EditorOptions {
  readonly prompt: string
  readonly columns: number
  /** Rows that are visible at once. */
  readonly most: number
}

/** An edited text below its prompt; of a long one the part around the caret. */
function editorPart(text: string, at: number, { prompt, columns, most }: EditorOptions): Part {
  const margin = Math.min(widthOf(prompt), columns - 1)
  const room = Math.max(1, columns - margin - 1)
  const rows: Row[] = []
  let caret = { row: 0, column: margin }
  let offset = 0
  for (const [index, line] of text.split("\n").entries()) {
    const before = at - offset
    const first = rows.length
    for (const [part, shown] of wrapEdited(shownText(line), room).entries())
      rows.push({
        spans: [
          { text: index === 0 && part === 0 ? prompt.slice(0, columns - 1) : " ".repeat(margin) },
          { text: shown },
        ],
      })
    if (before >= 0 && before <= line.length) {
      const place = placeIn(wrapEdited(shownText(line), room), shownText(line.slice(0, before)).length)
      // A blank at the end of a row may stand beyond its width.
      caret = { row: first + place.row, column: Math.min(columns - 1, margin + place.column) }
    }
    offset += line.length + 1
  }
  const from = Math.max(0, Math.min(caret.row - Math.floor(most / 2), rows.length - most))
  return { rows: rows.slice(from, from + most), caret: { row: caret.row - from, column: caret.column } }
}

function shownText(line: string): string {
  return withoutTabs(printable(line))
}

/** The row and column before the character with this offset. */
function placeIn(rows: readonly string[], offset: number): { readonly row: number; readonly column: number } {
  let before = 0
  for (const [row, text] of rows.entries()) {
    const at = offset - before
    if (at < text.length || row === rows.length - 1) return { row, column: widthOf(text.slice(0, at)) }
    before += text.length
  }
  return { row: 0, column: 0 }
}

/** Rows of the body of a dialog, and how many of them are visible at once. */
export function dialogBody(
  { body, form }: Dialog,
  { size }: Pick<State, "size">,
): { readonly rows: readonly Row[]; readonly page: number } {
  const rows = body.flatMap((line) => blockRows({ line, whole: false }, size.columns))
  const preview = form.kind === "pick" && form.preview !== null ? PREVIEW_ROWS : 0
  const formRows = form.kind === "pick" ? Math.min(PICK_ROWS, shownRows(form).length) + 1 + preview : 2
  return { rows, page: Math.max(1, size.rows - 1 - formRows - 2) }
}

function dialogPart(t: Translate, dialog: Dialog, state: State): Part {
  const { size } = state
  const { rows, page } = dialogBody(dialog, state)
  const body = rows.slice(dialog.offset, dialog.offset + page)
  const isCut = rows.length > page
  const more = isCut
    ? [
        oneRow(
          [
            {
              text: t`  lines ${dialog.offset + 1}-${dialog.offset + body.length} of ${rows.length} · PageUp and PageDown show the rest`,
              role: "muted",
            },
          ],
          size.columns,
        ),
      ]
    : []
  const form = formPart(t, dialog, size.columns)
  const first = body.length + more.length
  return {
    rows: [...body, ...more, ...form.rows],
    caret: form.caret && { row: first + form.caret.row, column: form.caret.column },
  }
}

function formPart(t: Translate, { form }: Dialog, columns: number): Part {
  if (form.kind === "keys") {
    const text = `${form.prompt} ${form.keys.map(({ label }) => label).join(" ")} `
    const rows = wrapWords([{ text: printableLine(text), role: "strong" }], { columns })
    const last = rows.at(-1) ?? emptyRow
    return { rows, caret: { row: rows.length - 1, column: Math.min(columns - 1, lineWidth(last.spans)) } }
  }
  if (form.kind === "line") {
    const text = form.isSecret ? "*".repeat([...form.editor.text].length) : form.editor.text
    const before = form.editor.text.slice(0, form.editor.caret)
    const at = form.isSecret ? Array.from(before).length : form.editor.caret
    return editorPart(text, at, { prompt: form.prompt, columns, most: 3 })
  }
  const shown = shownRows(form)
  const from = Math.max(0, Math.min(form.at - Math.floor(PICK_ROWS / 2), shown.length - PICK_ROWS))
  const list = shown.slice(from, from + PICK_ROWS).map(([, row], index) =>
    oneRow(
      [
        {
          text: `${from + index === form.at ? "> " : "  "}${row}`,
          ...(from + index === form.at && { role: "strong" }),
        },
      ],
      columns,
    ),
  )
  const filter = editorPart(form.filter.text, form.filter.caret, { prompt: "/ ", columns, most: 1 })
  const hints = [t`type to filter`, t`Enter selects`, ...form.actions.map(({ label }) => label), t`Esc leaves`]
  const hint: Line = [{ text: "/ " }, { text: hints.join(" · "), role: "muted" }]
  const preview = form.preview?.lines.slice(0, PREVIEW_ROWS) ?? []
  const about = preview.map((text) => oneRow([{ text: "    " }, ...outputReader().line(text, "muted")], columns))
  const last = form.filter.text === "" ? [oneRow(hint, columns)] : filter.rows
  return {
    rows: [...list, ...last, ...about],
    caret: filter.caret && { row: list.length, column: filter.caret.column },
  }
}
