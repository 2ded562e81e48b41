export interface SlashLine {
  /** Without the slash. */
  readonly name: string
  readonly rest: string
}

/** Input methods for Chinese give these where others give a slash (interface part 8). */
const slashes = /^[/／、]/

/** False: whoever knows no command need not be asked. */
export function mayBeCommand(text: string): boolean {
  return slashes.test(text)
}

/** A line that may be a command with the slash and the name that it means (`／ｎａｍｅ x` is `/name x`); any other text as it is. */
export function plainSlash(text: string): string {
  const line = slashLine(text)
  return line === null ? text : `/${line.name}${text.replace(/^.\S*/u, "")}`
}

/**
 * The name and the rest of a line that may be a command; null for a message. A path is no command (`/usr/bin is full`), and
 * a blank in front makes a message of anything.
 */
export function slashLine(text: string): SlashLine | null {
  if (!slashes.test(text)) return null
  const [word = ""] = text.slice(1).split(/\s/u, 1)
  const name = word.normalize("NFKC")
  if (!/^[\p{L}\p{N}][^/]*$/u.test(name)) return null
  return { name, rest: text.slice(1 + word.length).trim() }
}
