import { edit, emptyEditor, insert, withText } from "@gong/screen/editor"
import type { ClientImage } from "@gong/app/controller/prompt-input"
import type { State } from "../state.ts"

/** Longer pastes are shown as a marker. */
const PASTE_LINES = 10
const PASTE_CHARS = 1_000
const HISTORY_MAX = 1_000

export function typed(state: State, text: string): State {
  return { ...state, editor: insert(state.editor, text.replaceAll("\t", "    ")) }
}

export function pasted(state: State, text: string): State {
  const lines = text.split("\n").length
  if (lines <= PASTE_LINES && text.length <= PASTE_CHARS) return typed(state, text)
  const marker = `[paste ${state.pastes.size + 1}: ${lines} lines]`
  return { ...typed(state, marker), pastes: new Map([...state.pastes, [marker, text]]) }
}

/** An image is a marker in the text. */
export function withImage(state: State, image: ClientImage): State {
  const marker = `[image ${state.images.size + 1}: ${Math.ceil((image.data.length * 3) / 4 / 1024)} KB]`
  return { ...typed(state, `${marker} `), images: new Map([...state.images, [marker, image]]) }
}

/** A backslash before Enter continues the message in a new line. */
export function continued(state: State): State {
  return { ...state, editor: insert(edit(state.editor, "delete-back"), "\n") }
}

interface Taken {
  readonly text: string
  readonly images: readonly ClientImage[]
  /** After the message was sent. */
  readonly state: State
}

/** The message in the input with its pastes and images; null: the input is empty. */
export function taken(state: State): Taken | null {
  let text = state.editor.text.trimEnd()
  if (text.trim() === "") return null
  for (const [marker, whole] of state.pastes) text = text.replace(marker, () => whole)
  const images = [...state.images].filter(([marker]) => text.includes(marker)).map(([, image]) => image)
  return { text, images, state: { ...emptied(remembered(state, text)), pastes: new Map(), images: new Map() } }
}

/** Removes the text of the input; it stays in the history. */
export function cleared(state: State): State {
  const { text } = state.editor
  return emptied(text.trim() === "" ? state : remembered(state, text))
}

function emptied(state: State): State {
  const { kills } = state.editor
  const vim = state.vim && ({ ...state.vim, mode: "insert", pending: "", open: null } as const)
  return { ...state, editor: { ...emptyEditor, kills }, vim, completion: null }
}

function remembered(state: State, text: string): State {
  const texts = [...state.history.texts.filter((one) => one !== text), text].slice(-HISTORY_MAX)
  return { ...state, history: { texts, at: null, draft: "" } }
}

/** Moves by lines, and at the edge of the text through sent messages. */
export function inHistory(state: State, way: "history-back" | "history-forward"): State {
  const { editor, history } = state
  const moved = edit(editor, way === "history-back" ? "up" : "down")
  if (moved !== editor) return { ...state, editor: moved }
  const at = history.at ?? history.texts.length
  const to = way === "history-back" ? at - 1 : at + 1
  if (to < 0 || to > history.texts.length || history.texts.length === 0) return state
  const draft = history.at === null ? editor.text : history.draft
  const text = history.texts[to] ?? draft
  return {
    ...state,
    editor: withText(editor, text),
    history: { ...history, at: to === history.texts.length ? null : to, draft },
  }
}
