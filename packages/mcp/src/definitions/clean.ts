/**
 * Characters that a model may read and a person cannot see: controls except tab and newline, bidirectional and zero-width
 * characters, fillers, tags and variation selectors of the supplement.
 */
const ranges = [
  "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f",
  "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb",
  "\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}",
]
const invisible = new RegExp(`[${ranges.join("")}]`, "gu")

/** A text of a server without invisible characters. */
export function visibleText(text: string): string {
  return text.isWellFormed() ? text.replaceAll(invisible, "") : text.toWellFormed().replaceAll(invisible, "")
}

export function hasInvisible(text: string): boolean {
  return visibleText(text) !== text
}

/** The same on one line, cut after `length` characters. */
export function visibleLine(text: string, length: number): string {
  const line = visibleText(text.slice(0, 4 * length))
    .replaceAll(/\s+/g, " ")
    .trim()
  return line.length > length ? `${line.slice(0, length - 3)}...` : line
}
