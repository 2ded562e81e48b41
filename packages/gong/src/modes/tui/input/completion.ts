import { type Editor, withTextAt } from "@gong/screen/editor"

/** What is being typed and can be completed. Offsets are those of the text. */
export interface CompletionTarget {
  readonly kind: "command" | "argument" | "file"
  /** Where the completed part begins, and where the caret is. */
  readonly from: number
  readonly to: number
  /** The typed part. */
  readonly typed: string
  /** Of an argument: the name of its command. */
  readonly command: string
}

export interface CompletionItem {
  readonly value: string
  readonly about: string
}

/** The list below the input. */
export interface Completion {
  readonly target: CompletionTarget
  readonly items: readonly CompletionItem[]
  readonly at: number
  /** The user has moved in it. */
  readonly isMoved: boolean
}

/** Also full-width: input methods produce these. */
const commandName = /^[/／、]([^\s/]*)$/
const commandArgument = /^[/／、]([^\s/]+) ([^\n]*)$/
const mention = /(?:^|[\s(])[@＠]([^\s()"]*)$/

/** Null: nothing at the caret can be completed. */
export function completionTarget({ text, caret }: Editor): CompletionTarget | null {
  const before = text.slice(0, caret)
  const name = commandName.exec(before)?.[1]
  if (name !== undefined && caret === text.length)
    return { kind: "command", from: 1, to: caret, typed: name, command: "" }
  const file = mention.exec(before)?.[1]
  if (file !== undefined) return { kind: "file", from: caret - file.length - 1, to: caret, typed: file, command: "" }
  const [, command = "", typed] = commandArgument.exec(before) ?? []
  if (typed === undefined || caret !== text.length) return null
  return { kind: "argument", from: caret - typed.length, to: caret, typed, command }
}

/** The text with the completed part. A folder can be completed further; behind anything else comes a blank. */
export function completed(editor: Editor, { kind, from, to }: CompletionTarget, value: string): Editor {
  const isFolder = kind === "file" && value.endsWith("/")
  const part = kind === "file" ? `@${/\s|[()]/.test(value) ? `"${value}"` : value}` : value
  const whole = editor.text.slice(0, from) + part + (isFolder ? "" : " ")
  return withTextAt(editor, whole + editor.text.slice(to).replace(/^ /, isFolder ? " " : ""), whole.length)
}

export function sameTarget(one: CompletionTarget | null, other: CompletionTarget | null): boolean {
  return one?.kind === other?.kind && one?.from === other?.from && one?.typed === other?.typed
}

/** The first command of the list is meant by its beginning, unless the name is complete. */
export function isMeant({ target: { kind, typed: name }, items }: Completion): boolean {
  if (kind !== "command" || name === "" || items.some(({ value }) => value === name)) return false
  return items[0]?.value.startsWith(name) === true
}
