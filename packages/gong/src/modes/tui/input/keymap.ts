import { type Edit } from "@gong/screen/editor"
import type { Key } from "@gong/screen/keys"

/** Effects of keys that are actions of the screen without data. */
export type DirectAction =
  | "search-history"
  | "next-permission"
  | "next-thinking"
  | "edit-externally"
  | "transcript"
  | "paste-image"
  | "background"

/** What a key does outside of dialogs. */
export type KeyAction =
  | { readonly edit: Edit }
  | {
      readonly do:
        | "send"
        | "send-later"
        | "new-line"
        | "stop"
        | "interrupt"
        | "end"
        | "take-back"
        | "redraw"
        | "suspend"
    }
  | { readonly do: "history-back" | "history-forward" | "page-up" | "page-down" | "complete" | "jump" }
  | { readonly do: DirectAction }
  /** Runs a slash command. */
  | { readonly do: "command"; readonly name: string }

export interface KeyRow {
  readonly keys: readonly string[]
  readonly action: KeyAction
  /** For people. */
  readonly about: string
}

/** Stands for the key before, if the character to jump to follows. */
export const JUMP = "jump"

/** All keys of the conversation, for decoding, `?` and docs/terminal.md. Names are those of `keyName`. */
export const keyTable: readonly KeyRow[] = [
  { keys: ["enter"], action: { do: "send" }, about: "sends; while a run works: after the running tool" },
  { keys: ["alt+enter", "ctrl+q"], action: { do: "send-later" }, about: "while a run works: sends when it has ended" },
  { keys: ["shift+enter", "ctrl+j"], action: { do: "new-line" }, about: "begins a new line (also \\ before Enter)" },
  { keys: ["escape"], action: { do: "stop" }, about: "leaves a question; stops the run; twice: clears the text" },
  { keys: ["ctrl+c"], action: { do: "interrupt" }, about: "clears the text; stops the run; twice within 2 s exits" },
  { keys: ["ctrl+d"], action: { do: "end" }, about: "exits if there is no text; otherwise deletes forward" },
  { keys: ["alt+up"], action: { do: "take-back" }, about: "takes the last waiting message back into the input" },
  { keys: ["up", "ctrl+p"], action: { do: "history-back" }, about: "line up; at the first line the previous message" },
  {
    keys: ["down", "ctrl+n"],
    action: { do: "history-forward" },
    about: "line down; at the last line the next message",
  },
  { keys: ["tab"], action: { do: "complete" }, about: "completes a command, its argument, or a path after @" },
  { keys: ["ctrl+r"], action: { do: "search-history" }, about: "finds an earlier message" },
  {
    keys: ["ctrl+g", "ctrl+x ctrl+e"],
    action: { do: "edit-externally" },
    about: "edits the text with $VISUAL or $EDITOR",
  },
  { keys: ["ctrl+v", "alt+v"], action: { do: "paste-image" }, about: "inserts the image of the clipboard" },
  { keys: ["ctrl+o", "ctrl+t"], action: { do: "transcript" }, about: "shows the whole transcript" },
  {
    keys: ["shift+tab"],
    action: { do: "next-permission" },
    about: "next permission level: ask, auto, plan",
  },
  { keys: ["alt+t"], action: { do: "next-thinking" }, about: "next thinking level" },
  { keys: ["alt+p", "ctrl+x m"], action: { do: "command", name: "model" }, about: "selects the model" },
  { keys: ["ctrl+x s"], action: { do: "command", name: "resume" }, about: "opens another session" },
  { keys: ["ctrl+x c"], action: { do: "command", name: "diff" }, about: "shows the changed files" },
  {
    keys: ["ctrl+x t"],
    action: { do: "command", name: "tree" },
    about: "opens the tree (also Esc twice without text)",
  },
  {
    keys: ["ctrl+x b"],
    action: { do: "background" },
    about: "continues the running command in the background",
  },
  { keys: ["ctrl+x j"], action: { do: "command", name: "jobs" }, about: "shows background commands" },
  { keys: ["ctrl+x a"], action: { do: "command", name: "tasks" }, about: "shows the tasks of the model" },
  { keys: ["ctrl+x h"], action: { do: "command", name: "hotkeys" }, about: "shows the keys" },
  { keys: ["pageup"], action: { do: "page-up" }, about: "in a long question: up" },
  { keys: ["pagedown"], action: { do: "page-down" }, about: "in a long question: down" },
  { keys: ["ctrl+l"], action: { do: "redraw" }, about: "draws the screen anew" },
  { keys: ["ctrl+z"], action: { do: "suspend" }, about: "suspends Gong" },
  { keys: ["left", "ctrl+b"], action: { edit: "left" }, about: "one character left" },
  { keys: ["right", "ctrl+f"], action: { edit: "right" }, about: "one character right" },
  { keys: ["ctrl+left", "alt+left", "alt+b"], action: { edit: "word-left" }, about: "one word left" },
  { keys: ["ctrl+right", "alt+right", "alt+f"], action: { edit: "word-right" }, about: "one word right" },
  { keys: ["home", "ctrl+a"], action: { edit: "line-start" }, about: "start of the line" },
  { keys: ["end", "ctrl+e"], action: { edit: "line-end" }, about: "end of the line" },
  { keys: ["ctrl+home"], action: { edit: "text-start" }, about: "start of the text" },
  { keys: ["ctrl+end"], action: { edit: "text-end" }, about: "end of the text" },
  { keys: ["ctrl+]"], action: { do: "jump" }, about: "jumps to the next character that is typed" },
  { keys: ["backspace", "ctrl+h", "shift+backspace"], action: { edit: "delete-back" }, about: "deletes back" },
  { keys: ["delete"], action: { edit: "delete-forward" }, about: "deletes forward" },
  { keys: ["ctrl+w", "alt+backspace"], action: { edit: "kill-word-back" }, about: "deletes the word before" },
  { keys: ["alt+d", "ctrl+delete"], action: { edit: "kill-word-forward" }, about: "deletes the word behind" },
  { keys: ["ctrl+u"], action: { edit: "kill-to-start" }, about: "deletes to the start of the line" },
  { keys: ["ctrl+k"], action: { edit: "kill-to-end" }, about: "deletes to the end of the line" },
  { keys: ["ctrl+y"], action: { edit: "yank" }, about: "inserts the text deleted last" },
  { keys: ["alt+y"], action: { edit: "yank-older" }, about: "then: an older one in its place" },
  { keys: ["ctrl+_", "ctrl+-", "ctrl+shift+-"], action: { edit: "undo" }, about: "undoes an edit of the text" },
  { keys: ["alt+_", "alt+shift+-"], action: { edit: "redo" }, about: "redoes it" },
]

/** The keys of one conversation. */
export interface Keymap {
  readonly rows: readonly KeyRow[]
  /** `prefix`: the key before, if this one continues a sequence. */
  actionOf(key: Key, prefix?: string): KeyAction | null
  /** Sequences of two keys begin with it. */
  isPrefix(key: Key): boolean
}

/** What is wrong with an entry of the setting `terminal.keys`. */
export type KeyProblem =
  | { readonly kind: "unknown"; readonly action: string }
  | { readonly kind: "twice"; readonly key: string; readonly actions: readonly string[] }

/**
 * `own`: entries of the setting, `ACTION=KEY,KEY`, which replace the keys of an action; without a key it has none. Of two actions
 * with one key the first in the table has it.
 */
export function createKeymap(own: readonly string[] = []): {
  readonly keymap: Keymap
  readonly problems: readonly KeyProblem[]
} {
  const replaced = new Map(own.map(entryOf))
  const rows = keyTable.map((row) => ({ ...row, keys: replaced.get(nameOf(row)) ?? row.keys }))
  const problems: KeyProblem[] = [...replaced.keys()]
    .filter((name) => !keyTable.some((row) => nameOf(row) === name))
    .map((action) => ({ kind: "unknown", action }))
  const found = new Map<string, KeyRow>()
  for (const row of rows)
    for (const key of row.keys) {
      const first = found.get(key)
      if (first === undefined) found.set(key, row)
      else problems.push({ kind: "twice", key, actions: [nameOf(first), nameOf(row)] })
    }
  const prefixes = new Set([...found.keys()].filter((key) => key.includes(" ")).map((key) => key.split(" ")[0]))
  const keymap: Keymap = {
    rows,
    actionOf: (key, prefix = "") =>
      found.get(prefix === "" ? keyName(key) : `${prefix} ${keyName(key)}`)?.action ?? null,
    isPrefix: (key) => prefixes.has(keyName(key)),
  }
  return { keymap, problems }
}

function entryOf(entry: string): readonly [string, readonly string[]] {
  const [name = "", keys = ""] = entry.split(/=(.*)/s)
  const names = keys.split(",").map((key) => key.trim().toLowerCase())
  return [name.trim(), names.filter((key) => key !== "")]
}

/** The name of an action in the setting. */
export function nameOf({ action }: Pick<KeyRow, "action">): string {
  if ("edit" in action) return action.edit
  return action.do === "command" ? action.name : action.do
}

export const defaultKeymap = createKeymap().keymap

/** `ctrl+alt+shift+NAME`. */
export function keyName({ name, ctrl, alt, shift }: Key): string {
  return `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${shift ? "shift+" : ""}${name}`
}

/** The character that a key types; null for other keys. */
export function typedText({ name, ctrl, alt }: Key): string | null {
  if (ctrl || alt) return null
  if (name === "space") return " "
  return [...name].length === 1 ? name : null
}
