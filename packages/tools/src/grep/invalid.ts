/** Texts for invalid patterns and globs: what is wrong, where, and what to do instead. */

const advice = "Escape special characters with \\, or set literal: true to search for plain text."

/** `errors` is the error message of either engine. */
export function invalidRegex(pattern: string, errors: string): string {
  if (errors.includes("not allowed in a regex")) return multilineText
  const problem = problemOf(errors)
  const at = unbalanced(pattern) ?? placeOf(pattern, errors)
  if (at === null || pattern.includes("\n")) return `Invalid regex: ${problem}\n  ${pattern}\n${advice}`
  return `Invalid regex: ${problem}, at column ${at + 1}\n  ${pattern}\n  ${" ".repeat(at)}^\n${advice}`
}

export const multilineText =
  "A pattern matches within one line and cannot hold a line break. Search for one of its lines; context, before and after show the lines around it."

export function invalidGlob(errors: string): string {
  const problem = /error parsing glob .*/.exec(errors)?.[0] ?? errors.trim()
  return `Invalid glob: ${problem}. Use one like *.ts or src/**/*.{ts,tsx}.`
}

function problemOf(errors: string): string {
  const problem =
    /^error: (.*)/m.exec(errors)?.[1] ??
    /PCRE2: error compiling pattern at offset \d+: (.*)/.exec(errors)?.[1] ??
    /^error parsing regexp: (.*)/m.exec(errors)?.[1]
  return problem ?? errors.trim().replace(/^rg: /, "")
}

/** Index in the pattern that the message points at: by a caret below it, by an offset, or by a quote. */
function placeOf(pattern: string, errors: string): number | null {
  const [, shown = "", pad = ""] = /^(.*)\n( *)\^+$/m.exec(errors) ?? []
  const offset = /at offset (\d+)/.exec(errors)?.[1]
  const quoted = /: `(.+)`$/m.exec(errors)?.[1]
  let at = -1
  if (shown !== "") at = pad.length - shown.indexOf(pattern)
  // PCRE2 counts from the wrapped pattern, `(?:pattern)`.
  else if (offset !== undefined) at = Number(offset) - 3
  else if (quoted !== undefined) at = pattern.indexOf(quoted)
  return at >= 0 && at <= pattern.length ? at : null
}

/** Index of the first unbalanced parenthesis: engines that wrap the pattern report another place. */
function unbalanced(pattern: string): number | null {
  const open: number[] = []
  for (const { 0: token, index } of pattern.matchAll(/\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()]/gsu)) {
    if (token === "(") open.push(index)
    else if (token === ")" && open.pop() === undefined) return index
  }
  return open[0] ?? null
}
