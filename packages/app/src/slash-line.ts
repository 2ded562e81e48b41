export interface SlashLine {
  /** Without the slash. */
  readonly name: string
  readonly rest: string
}

/** Chinese input methods produce these instead of a slash (interface part 8). */
const slashes = /^[/／、]/

/** A fast check before commands are loaded. */
export function mayBeCommand(text: string): boolean {
  return slashes.test(text)
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
