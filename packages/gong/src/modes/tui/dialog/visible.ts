import type { Action, Message } from "../messages.ts"
import { type Dialog, selectedRow } from "./dialog.ts"
import type { State } from "../state.ts"
import { dialogBody } from "../view.ts"

/** Moves the body by rows, and remembers whether its end has been visible. */
export function scrolled(dialog: Dialog, sized: Pick<State, "size">, rows = 0): Dialog {
  const { rows: body, page } = dialogBody(dialog, sized)
  const offset = Math.max(0, Math.min(body.length - page, dialog.offset + rows))
  return { ...dialog, offset, isRead: dialog.isRead || offset + page >= body.length }
}

/** Asks for the lines about the selected row of a list, if others or none are shown. */
export function previewActions({ id, form }: Dialog): readonly Action[] {
  if (form.kind !== "pick" || form.preview === null) return []
  const of = selectedRow(form)
  return of === null || of === form.preview.of ? [] : [{ kind: "preview", id, of }]
}

/** The lines about a row that is still selected. */
export function withPreview(dialog: Dialog, { id, of, lines }: Extract<Message, { kind: "preview" }>): Dialog {
  const { form } = dialog
  if (dialog.id !== id || form.kind !== "pick" || selectedRow(form) !== of) return dialog
  return { ...dialog, form: { ...form, preview: { of, lines } } }
}
