import type { ClientImage } from "@gong/app/controller/prompt-input"
import { type Editor, emptyEditor } from "@gong/screen/editor"
import { initialVim, type Vim } from "@gong/screen/vim"
import type { Size } from "@gong/screen/frame"
import type { Block, Line } from "@gong/screen/row"
import type { Completion } from "./input/completion.ts"
import type { Dialog } from "./dialog/dialog.ts"
import { defaultKeymap, type Keymap } from "./input/keymap.ts"
import type { Reader } from "./reader/reader.ts"

/** A call that is in progress. */
export interface RunningCall {
  readonly id: string
  readonly title: string
  /** Milliseconds of the clock. */
  readonly startedAt: number
  /** The last lines of its output. */
  readonly tail: readonly Line[]
  /** The lines are broken at words, and not cut. */
  readonly isProse: boolean
}

/** All that the screen shows, and all that keys depend on. */
export interface State {
  readonly size: Size
  /** Milliseconds of the clock. */
  readonly now: number
  readonly keymap: Keymap
  /** The session of another process is shown: there is no input. */
  readonly isWatching: boolean
  readonly editor: Editor
  /** The modes of vi; null: they are off. */
  readonly vim: Vim | null
  /** Pasted texts by their markers in the input. */
  readonly pastes: ReadonlyMap<string, string>
  /** Pasted images by their markers in the input. */
  readonly images: ReadonlyMap<string, ClientImage>
  /** The list below the input; null: none. */
  readonly completion: Completion | null
  /** Tab was pressed before the list for this text arrived. */
  readonly completing: string | null
  /** Sent messages, the newest last; `at`: the one in the input; `draft`: the text that was there before. */
  readonly history: { readonly texts: readonly string[]; readonly at: number | null; readonly draft: string }
  /** Lines that have not been drawn yet. */
  readonly blocks: readonly Block[]
  /** The lines of the reply that further text can change. */
  reply(): readonly Block[]
  readonly isRunning: boolean
  /** When the run began. */
  readonly runningSince: number
  readonly calls: readonly RunningCall[]
  /** Open items of the to-do list, the current one first. */
  readonly todos: readonly string[]
  /** Texts of messages that wait. */
  readonly waiting: readonly string[]
  /** The first one is shown. */
  readonly dialogs: readonly Dialog[]
  /** The text on the alternate screen; null: the conversation is shown. */
  readonly reader: Reader | null
  /** Parts of the status row, the most important first. */
  readonly status: readonly string[]
  /** One line below the input until the next key. */
  readonly hint: string
  /** When the last character was typed. */
  readonly typedAt: number
  /** When Ctrl+C was pressed last, and Esc without anything to stop. */
  readonly interruptedAt: number
  readonly escapedAt: number
  /** The terminal is in front; null: it does not tell. */
  readonly isFocused: boolean | null
  /** The first key of a sequence of two; empty: none. */
  readonly prefix: string
}

export interface InputOptions {
  readonly keymap: Keymap
  readonly hasVim: boolean
  readonly isWatching?: boolean
}

export function initialState(size: Size, now: number, options: Partial<InputOptions> = {}): State {
  const { keymap = defaultKeymap, hasVim = false, isWatching = false } = options
  return {
    size,
    now,
    keymap,
    isWatching,
    editor: emptyEditor,
    vim: hasVim ? initialVim : null,
    pastes: new Map(),
    images: new Map(),
    completion: null,
    completing: null,
    history: { texts: [], at: null, draft: "" },
    blocks: [],
    reply: () => [],
    isRunning: false,
    runningSince: 0,
    calls: [],
    todos: [],
    waiting: [],
    dialogs: [],
    reader: null,
    status: [],
    hint: "",
    typedAt: -Infinity,
    interruptedAt: -Infinity,
    escapedAt: -Infinity,
    isFocused: null,
    prefix: "",
  }
}
