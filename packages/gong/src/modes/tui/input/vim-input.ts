import { edit } from "@gong/screen/editor"
import type { Key } from "@gong/screen/keys"
import { type Vim, vimEscape, vimKey, vimTyped } from "@gong/screen/vim"
import { typed } from "./editing.ts"
import { type KeyAction, typedText } from "./keymap.ts"
import type { State } from "../state.ts"

/** Text in the modes of vi: characters are commands outside of insertion. */
export function typedInVim(state: State, text: string): State {
  let next = state
  for (const character of text) {
    const { vim, editor } = next
    if (vim === null || vim.mode === "insert") {
      const inserted = typed(next, character)
      next = vim === null ? inserted : { ...inserted, vim: vimTyped(vim, character) }
    } else next = { ...next, ...vimKey(vim, editor, character) }
  }
  return next
}

/** A key in the modes of vi; null: it has its usual effect. */
export function keyInVim(state: State, vim: Vim, key: Key, action: KeyAction | null): State | null {
  const does = action !== null && "do" in action ? action.do : null
  if (vim.mode === "insert") return does === "stop" ? { ...state, ...vimEscape(vim, state.editor) } : null
  // The second Esc stops the run.
  if (does === "stop" && (vim.mode === "visual-line" || vim.pending !== ""))
    return { ...state, ...vimEscape(vim, state.editor) }
  if (does === "search-history") return { ...state, editor: edit(state.editor, "redo") }
  const text = typedText(key)
  return text === null ? null : typedInVim(state, text)
}
