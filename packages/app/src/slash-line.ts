export interface SlashLine {
  /** Without the slash. */
  readonly name: string
  readonly rest: string
}

/** Chinese input methods produce these instead of a slash (interface part 8). */
const slashes = /^[/／、]/

/** A fast check before commands are loaded. */
export function mayBeCommand(text: string): boolean {
  return slashes.test(text) || shellLine(text) !== null || lineWithoutSlash(text) !== null
}

/**
 * A command for the shell, `!npm test`; with `!!` the model does not see it. Null for another text, also one of several lines: a
 * paste, or a message with the content of a mentioned file, must not run.
 */
export interface ShellLine {
  readonly command: string
  readonly private: boolean
}

export function shellLine(text: string): ShellLine | null {
  const [, marks, command = ""] = /^([!！]{1,2})([^\n]*)$/u.exec(text) ?? []
  return marks === undefined ? null : { command: command.trim(), private: marks.length === 2 }
}

/** Words that people type alone to a prompt, and the command that they mean. */
const bareWords: Readonly<Record<string, string>> = { "?": "help", exit: "quit", quit: "quit" }

/** The command of a line that consists of one of these words; null for another line. */
export function lineWithoutSlash(text: string): SlashLine | null {
  const word = text.normalize("NFKC").trim().toLowerCase()
  const name = Object.hasOwn(bareWords, word) ? bareWords[word] : undefined
  return name === undefined ? null : { name, rest: "" }
}

/** Normalizes the slash and the name of a command (`／ｎａｍｅ x` becomes `/name x`); other text is unchanged. */
export function plainSlash(text: string): string {
  const line = slashLine(text)
  return line === null ? text : `/${line.name}${text.replace(/^.\S*/u, "")}`
}

/**
 * The name and the arguments of a command; null for a message. A path (`/usr/bin is full`) and a line that starts with a
 * blank are messages.
 */
export function slashLine(text: string): SlashLine | null {
  if (!slashes.test(text)) return null
  const [word = ""] = text.slice(1).split(/\s/u, 1)
  const name = word.normalize("NFKC")
  if (!/^[\p{L}\p{N}][^/]*$/u.test(name)) return null
  return { name, rest: text.slice(1 + word.length).trim() }
}
