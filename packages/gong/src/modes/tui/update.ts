import { edit, jumpTo, withText } from "@gong/screen/editor"
import type { Input, Key } from "@gong/screen/keys"
import { answerDialog, type Dialog } from "./dialog/dialog.ts"
import { previewActions, scrolled, withPreview } from "./dialog/visible.ts"
import {
  type Completion,
  type CompletionItem,
  type CompletionTarget,
  completed,
  completionTarget,
  isMeant,
  sameTarget,
} from "./input/completion.ts"
import { cleared, continued, inHistory, pasted, taken, typed, withImage } from "./input/editing.ts"
import { keyInVim, typedInVim } from "./input/vim-input.ts"
import { JUMP, type KeyAction, keyName, typedText } from "./input/keymap.ts"
import { openReader, takeReaderInput } from "./reader/reader.ts"
import { watchActions } from "./input/watch-input.ts"
import type { Action, Message } from "./messages.ts"
import type { State } from "./state.ts"
import { dialogBody } from "./view.ts"

export interface Updated {
  readonly state: State
  readonly actions: readonly Action[]
}

/** Milliseconds in which a second Ctrl+C exits. */
const EXIT_MS = 2_000
/** A key that was meant for the input does not answer a question that has just appeared. */
const SETTLE_MS = 400
/** Who has typed within these milliseconds, and not sent it, may still be typing. */
const TYPING_MS = 2_000
/** The end of a shorter run is no news. */
const LONG_RUN_MS = 10_000
/** Milliseconds in which a second Esc has its own meaning. */
const ESCAPE_TWICE_MS = 500

/** The next state; pure. `now`: milliseconds of the clock. */
export function update(state: State, message: Message, now: number): Updated {
  const next = { ...state, now }
  switch (message.kind) {
    case "input":
      return takeInput({ ...next, hint: "" }, message.input)
    case "size":
      return only({
        ...next,
        size: message.size,
        dialogs: next.dialogs.map((dialog) => scrolled(dialog, { size: message.size })),
      })
    case "tick":
      return only(next)
    case "blocks":
      return only({ ...next, blocks: [...next.blocks, ...message.blocks] })
    case "reply":
      return only({ ...next, blocks: [...next.blocks, ...message.final], reply: message.open })
    case "drawn":
      return only({ ...next, blocks: next.blocks.slice(message.blocks) })
    case "running":
      return withRun(next, message.isRunning)
    case "calls":
      return only({ ...next, calls: message.calls })
    case "todos":
    case "waiting":
      return only({ ...next, [message.kind]: message.texts })
    case "status":
      return only({ ...next, status: message.parts })
    case "hint":
      return only({ ...next, hint: message.text })
    case "text":
      return only({ ...next, editor: withText(next.editor, message.text) })
    case "history": {
      const earlier = message.texts.filter((text) => !next.history.texts.includes(text))
      return only({ ...next, history: { texts: [...earlier, ...next.history.texts], at: null, draft: "" } })
    }
    case "image":
      return only(withImage(next, message.image))
    case "completions":
      return withCompletions(next, message.target, message.items)
    case "ask":
      return asked(next, message.dialog)
    case "read":
      if (next.dialogs.length > 0) return act(next, { kind: "read-end", id: message.id, key: null })
      return only({ ...next, reader: openReader(message.text, message.id) })
    case "passages": {
      const { reader } = next
      if (reader?.id !== message.id) return only(next)
      return only({ ...next, reader: { ...reader, passages: [...message.passages, ...reader.passages] } })
    }
    case "preview":
      return only({ ...next, dialogs: next.dialogs.map((dialog) => withPreview(dialog, message)) })
    case "close":
      return only({ ...next, dialogs: next.dialogs.filter(({ id }) => id !== message.id) })
  }
}

function only(state: State): Updated {
  return { state, actions: [] }
}

function takeInput(state: State, input: Input): Updated {
  if (input.kind === "focus") return only({ ...state, isFocused: input.on })
  if (input.kind === "reply") return { state, actions: [input] }
  if (state.isWatching) return { state, actions: watchActions(state.keymap, input) }
  if (state.reader !== null) {
    const result = takeReaderInput(state.reader, input, state)
    if (result.kind === "open")
      return { state: { ...state, reader: result.reader }, actions: result.action === undefined ? [] : [result.action] }
    return act({ ...state, reader: null }, { kind: "read-end", id: state.reader.id, key: result.key })
  }
  const [dialog, ...others] = state.dialogs
  if (dialog !== undefined) return takeAnswer(state, dialog, others, input)
  if (input.kind === "paste") return retarget({ ...pasted(state, input.text), typedAt: state.now })
  if (input.kind === "text" && state.prefix !== "") return afterPrefix(state, input.text)
  if (input.kind === "text") return retarget({ ...typedInVim(state, input.text), typedAt: state.now })
  return takeKey({ ...state, prefix: "" }, input.key, state.prefix)
}

/** Text that arrives at once: its first character ends the sequence. */
function afterPrefix(state: State, text: string): Updated {
  const [name = "", ...others] = text
  const ended = takeKey({ ...state, prefix: "" }, { name, ctrl: false, alt: false, shift: false }, state.prefix)
  return ended.actions.length > 0 ? ended : retarget(typedInVim(ended.state, others.join("")))
}

/** `prefix`: the key before, if a sequence of two begins with it. */
function takeKey(state: State, key: Key, prefix: string): Updated {
  const text = typedText(key)
  if (prefix === JUMP) return only(text === null ? state : { ...state, editor: jumpTo(state.editor, text) })
  if (prefix === "" && state.keymap.isPrefix(key)) return only({ ...state, prefix: keyName(key) })
  const action = state.keymap.actionOf(key, prefix)
  const inList = action && state.completion && inCompletion(state, state.completion, action)
  if (inList) return inList
  const inVim = state.vim && keyInVim(state, state.vim, key, action)
  if (inVim) return only({ ...inVim, completion: null, typedAt: state.now })
  if (action !== null) return takeAction(state, action)
  if (prefix !== "") return only(state)
  return text === null ? only(state) : retarget({ ...typedInVim(state, text), typedAt: state.now })
}

function withRun(state: State, isRunning: boolean): Updated {
  if (isRunning) return only({ ...state, isRunning, runningSince: state.now })
  const wasLong = state.isRunning && state.now - state.runningSince >= LONG_RUN_MS
  return wasLong ? notified({ ...state, isRunning }, "end") : only({ ...state, isRunning })
}

/** A question is shown at once, in place of a reader. */
function asked(state: State, dialog: Dialog): Updated {
  const { reader, dialogs } = state
  // A busy program takes a key that was typed before the question after it.
  const isTyping = state.editor.text !== "" && state.now - state.typedAt < TYPING_MS
  const typedAt = isTyping ? state.now : state.typedAt
  const next = notified({ ...state, typedAt, reader: null, dialogs: [...dialogs, scrolled(dialog, state)] }, "question")
  const actions: readonly Action[] = reader === null ? [] : [{ kind: "read-end", id: reader.id, key: null }]
  return { ...next, actions: [...next.actions, ...previewActions(dialog), ...actions] }
}

function notified(state: State, about: "end" | "question"): Updated {
  return state.isFocused === false ? act(state, { kind: "notify", about }) : only(state)
}

/** After a change of the text: asks for the completions of what is now at the caret. */
function retarget(state: State): Updated {
  const target = completionTarget(state.editor)
  if (target === null) return only({ ...state, completion: null })
  const { completion } = state
  // The list stays until the next one has arrived.
  const stays = completion !== null && completion.target.kind === target.kind && completion.target.from === target.from
  return act({ ...state, completion: stays ? completion : null }, { kind: "complete", target })
}

function withCompletions(state: State, target: CompletionTarget, items: readonly CompletionItem[]): Updated {
  if (!sameTarget(completionTarget(state.editor), target)) return only(state)
  const isWhole = items.length === 1 && items[0]?.value === target.typed && target.kind !== "file"
  const completion = items.length === 0 || isWhole ? null : { target, items, at: 0, isMoved: false }
  const next = { ...state, completion, completing: null }
  const wasAskedFor = state.completing === state.editor.text && completion !== null
  return wasAskedFor ? retarget(accepted(next, completion)) : only(next)
}

function accepted(state: State, { items, at, target }: Completion): State {
  return { ...state, editor: completed(state.editor, target, items[at]?.value ?? ""), completion: null }
}

/** Keys that belong to the list below the input; null: none of them. */
function inCompletion(state: State, completion: Completion, action: KeyAction): Updated | null {
  if (!("do" in action)) return null
  const { items, at, target, isMoved } = completion
  const move = (by: number): Updated =>
    only({ ...state, completion: { ...completion, at: (at + by + items.length) % items.length, isMoved: true } })
  const accept = (): State => accepted(state, completion)
  switch (action.do) {
    case "history-back":
      return move(-1)
    case "history-forward":
      return move(1)
    case "stop":
      return only({ ...state, completion: null })
    case "complete":
      return retarget(accept())
    case "send":
      if (!sameTarget(completionTarget(state.editor), target)) return null
      if (target.kind === "file") return retarget(accept())
      return isMoved || isMeant(completion) ? send(accept(), false) : null
    default:
      return null
  }
}

function takeAnswer(state: State, dialog: Dialog, others: readonly Dialog[], input: Input): Updated {
  const isText = input.kind !== "key" || typedText(input.key) !== null
  const isTyping = isText && state.now - state.typedAt < SETTLE_MS
  if (isTyping && dialog.form.kind === "keys") return only({ ...state, typedAt: state.now })
  const result = answerDialog(dialog, input, dialogBody(dialog, state).page, state.keymap)
  if (result.kind === "open")
    return { state: { ...state, dialogs: [result.dialog, ...others] }, actions: previewActions(result.dialog) }
  if (result.kind === "scroll") return only({ ...state, dialogs: [scrolled(dialog, state, result.rows), ...others] })
  return { state: { ...state, dialogs: others }, actions: [{ kind: "answer", id: dialog.id, value: result.value }] }
}

function takeAction(state: State, action: KeyAction): Updated {
  const { editor } = state
  if ("edit" in action) {
    const edited = { ...state, editor: edit(editor, action.edit) }
    return edited.editor.text === editor.text ? only({ ...edited, completion: null }) : retarget(edited)
  }
  switch (action.do) {
    case "send":
      if (editor.text.slice(0, editor.caret).endsWith("\\")) return only(continued(state))
      return send(state, false)
    case "send-later":
      return state.isRunning ? send(state, true) : only(typed(state, "\n"))
    case "new-line":
      return only(typed(state, "\n"))
    case "stop":
      return state.isRunning ? act(state, { kind: "stop" }) : escaped(state)
    case "interrupt":
      return interrupted(state)
    case "end":
      return editor.text === ""
        ? act(state, { kind: "leave", isInterrupted: false })
        : only({ ...state, editor: edit(editor, "delete-forward") })
    case "take-back":
      return act(state, { kind: "take-back" })
    case "history-back":
    case "history-forward":
      return only(inHistory(state, action.do))
    case "complete":
      return retarget({ ...state, completing: editor.text })
    case "command":
      return act(state, command(action.name))
    case "search-history":
    case "next-permission":
    case "next-thinking":
    case "edit-externally":
    case "transcript":
    case "paste-image":
    case "background":
      return act(state, { kind: action.do })
    case "page-up":
    case "page-down":
      return only(state)
    case "jump":
      return only({ ...state, prefix: JUMP })
    case "redraw":
    case "suspend":
      return act(state, { kind: action.do })
  }
}

function command(name: string): Action {
  return { kind: "send", text: `/${name}`, images: [], isLater: false }
}

function act(state: State, action: Action): Updated {
  return { state, actions: [action] }
}

function send(state: State, isLater: boolean): Updated {
  const message = taken(state)
  if (message === null) return only(state)
  return { state: message.state, actions: [{ kind: "send", text: message.text, images: message.images, isLater }] }
}

/** Esc twice: takes the text into the history; without text it opens the tree. */
function escaped(state: State): Updated {
  const isSecond = state.now - state.escapedAt < ESCAPE_TWICE_MS
  const next = { ...state, escapedAt: isSecond ? -Infinity : state.now }
  if (!isSecond) return only(next)
  return state.editor.text === "" ? act(next, command("tree")) : only(cleared(next))
}

function interrupted(state: State): Updated {
  if (state.editor.text !== "")
    return only({ ...state, editor: withText(state.editor, ""), completion: null, interruptedAt: -Infinity })
  if (state.now - state.interruptedAt < EXIT_MS) return act(state, { kind: "leave", isInterrupted: true })
  const next = { ...state, interruptedAt: state.now }
  return { state: next, actions: [...(state.isRunning ? [{ kind: "stop" } as const] : []), { kind: "warn-exit" }] }
}
