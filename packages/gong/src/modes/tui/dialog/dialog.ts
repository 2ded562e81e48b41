import { edit, type Editor, emptyEditor, insert } from "@gong/screen/editor"
import type { Input } from "@gong/screen/keys"
import type { Line } from "@gong/screen/row"
import { keyName, type Keymap, typedText } from "../input/keymap.ts"

/** A question to the user, in place of the input. */
export interface Dialog {
  readonly id: string
  /** What it is about, the whole of it. */
  readonly body: readonly Line[]
  readonly form: DialogForm
  /** The first visible row of a body that does not fit. */
  readonly offset: number
  /** The end of the body has been visible. */
  readonly isRead: boolean
}

export type DialogForm =
  /** Answered by one key. */
  | { readonly kind: "keys"; readonly prompt: string; readonly keys: readonly DialogKey[] }
  /** Answered by one of the rows. */
  | PickForm
  /** Answered by a line. */
  | { readonly kind: "line"; readonly prompt: string; readonly editor: Editor; readonly isSecret: boolean }

export interface PickForm {
  readonly kind: "pick"
  readonly rows: readonly string[]
  readonly filter: Editor
  /** Of the rows that match. */
  readonly at: number
  /** What else can be done with the selected row. */
  readonly actions: readonly PickAction[]
  /** Lines about a row, by its index in the whole list; null: there are none for any row. */
  readonly preview: { readonly of: number; readonly lines: readonly string[] } | null
}

export interface PickAction {
  /** A name of `keyName`. */
  readonly key: string
  readonly name: "rename" | "remove"
  /** `Ctrl+D deletes`. */
  readonly label: string
}

export interface DialogKey {
  /** One lower-case letter. */
  readonly key: string
  /** `[y]es`. */
  readonly label: string
  /** It permits something, so it counts only when the whole body has been visible. */
  readonly needsReading: boolean
}

/** `at`: an index of the rows. `action`: absent: the row was selected. Null: the dialog was left. */
export type DialogValue =
  | { readonly key: string }
  | { readonly at: number; readonly action?: PickAction["name"] }
  | { readonly line: string }
  | null

export type DialogResult =
  | { readonly kind: "open"; readonly dialog: Dialog }
  | { readonly kind: "scroll"; readonly rows: number }
  | { readonly kind: "closed"; readonly value: DialogValue }

export const emptyPick = { filter: emptyEditor, at: 0, actions: [], preview: null } as const

/** The index of the selected row in the whole list; null: no row matches. */
export function selectedRow(form: PickForm): number | null {
  return shownRows(form)[form.at]?.[0] ?? null
}

/** Rows that contain all words of the filter, with their indexes in the whole list. */
export function shownRows({ rows, filter }: PickForm): readonly (readonly [number, string])[] {
  const words = filter.text.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean)
  return rows
    .map((row, at) => [at, row] as const)
    .filter(([, row]) => words.every((word) => row.normalize("NFKC").toLowerCase().includes(word)))
}

/** Takes one key or text. `page`: rows of one page of the body. */
export function answerDialog(dialog: Dialog, input: Input, page: number, keymap: Keymap): DialogResult {
  const scroll = input.kind === "key" ? scrollOf(dialog, input, page) : null
  if (scroll !== null) return { kind: "scroll", rows: scroll }
  const picked = pickAction(dialog.form, input)
  if (picked !== null) return { kind: "closed", value: picked }
  if (input.kind === "key") {
    const action = keymap.actionOf(input.key)
    if (action !== null && "do" in action && (action.do === "stop" || action.do === "interrupt" || action.do === "end"))
      return { kind: "closed", value: null }
  }
  const { form } = dialog
  if (form.kind === "keys") return answerKeys(dialog, form, input)
  if (form.kind === "pick") return answerPick(dialog, form, input, keymap)
  if (input.kind === "key" && input.key.name === "enter") return { kind: "closed", value: { line: form.editor.text } }
  return { kind: "open", dialog: { ...dialog, form: { ...form, editor: edited(form.editor, input, keymap) } } }
}

function pickAction(form: DialogForm, input: Input): DialogValue {
  if (form.kind !== "pick" || input.kind !== "key") return null
  const action = form.actions.find(({ key }) => key === keyName(input.key))
  const at = selectedRow(form)
  return action === undefined || at === null ? null : { at, action: action.name }
}

function scrollOf({ form }: Dialog, { key }: Extract<Input, { kind: "key" }>, page: number): number | null {
  if (key.name === "pageup") return -page
  if (key.name === "pagedown") return page
  if (form.kind !== "keys") return null
  if (key.name === "up") return -1
  return key.name === "down" ? 1 : null
}

/** Input methods for Chinese and Japanese may produce full-width letters. */
function answerKeys(dialog: Dialog, form: Extract<DialogForm, { kind: "keys" }>, input: Input): DialogResult {
  const typed = input.kind === "key" ? typedText(input.key) : null
  const letter = typed?.normalize("NFKC").toLowerCase()
  const key = form.keys.find((one) => one.key === letter)
  if (key === undefined || (key.needsReading && !dialog.isRead)) return { kind: "open", dialog }
  return { kind: "closed", value: { key: key.key } }
}

function answerPick(dialog: Dialog, form: PickForm, input: Input, keymap: Keymap): DialogResult {
  const shown = shownRows(form)
  const to = (at: number): DialogResult => ({
    kind: "open",
    dialog: { ...dialog, form: { ...form, at: Math.max(0, Math.min(shown.length - 1, at)) } },
  })
  if (input.kind === "key") {
    const { name, ctrl } = input.key
    if (name === "up" || (ctrl && name === "p")) return to(form.at - 1)
    if (name === "down" || name === "tab" || (ctrl && name === "n")) return to(form.at + 1)
    if (name === "enter") {
      const chosen = shown[form.at]
      return chosen === undefined ? { kind: "open", dialog } : { kind: "closed", value: { at: chosen[0] } }
    }
  }
  return { kind: "open", dialog: { ...dialog, form: { ...form, filter: edited(form.filter, input, keymap), at: 0 } } }
}

/** One line: a paste keeps no line breaks. */
function edited(editor: Editor, input: Input, keymap: Keymap): Editor {
  if (input.kind === "paste" || input.kind === "text") return insert(editor, input.text.replaceAll("\n", " "))
  if (input.kind !== "key") return editor
  const action = keymap.actionOf(input.key)
  if (action !== null && "edit" in action) return edit(editor, action.edit)
  const text = typedText(input.key)
  return text === null ? editor : insert(editor, text)
}
