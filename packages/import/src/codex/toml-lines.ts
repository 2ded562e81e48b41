import { parseJson } from "@gong/spec"
/** The line of the value at these keys, from 1; of its nearest parent if the value is inline; null for neither. */
export type TomlLines = (keys: readonly (string | number)[]) => number | null

/** Finds keys and tables in a TOML text. The text is known to be valid, so only its structure is read. */
export function tomlLines(text: string): TomlLines {
  const lines = new Map<string, number>()
  const counts = new Map<string, number>()
  let table: readonly (string | number)[] = []
  for (const { statement, line } of statementsOf(text)) {
    const header = /^(\[\[?)([^]*?)\]\]?$/.exec(statement)
    if (header === null) note(lines, [...table, ...within(partsOf(statement), table, counts)], line)
    else {
      const parts = partsOf(header[2] ?? "")
      table = within(header[1] === "[[" ? parts.slice(0, -1) : parts, [], counts)
      if (header[1] === "[[") table = nextOf([...table, ...parts.slice(-1)], counts)
      note(lines, table, line)
    }
  }
  return (keys) => {
    for (let length = keys.length; length > 0; length--) {
      const line = lines.get(JSON.stringify(keys.slice(0, length)))
      if (line !== undefined) return line
    }
    return null
  }
}

/** Single-line and multi-line strings, comments, names, or single characters. */
const tokens = /"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[\w+-]+|[^]/g

/** The start of each statement: `[a.b]` of a table, `a.b` of a key. */
function statementsOf(text: string): readonly { readonly statement: string; readonly line: number }[] {
  const found: { statement: string; line: number }[] = []
  let line = 1
  let depth = 0
  let statement = ""
  let isValue = false
  for (const [token] of text.matchAll(tokens)) {
    if (token === "\n" && depth === 0) {
      if (!isValue && statement !== "") found.push({ statement, line })
      statement = ""
      isValue = false
    } else if (isValue) depth += "[{".includes(token) ? 1 : "]}".includes(token) ? -1 : 0
    else if (token === "=") {
      found.push({ statement, line })
      isValue = true
    } else if (!/^[#\s]/.test(token)) statement += token
    line += token.split("\n").length - 1
  }
  if (!isValue && statement !== "") found.push({ statement, line })
  return found
}

/** Splits `a."b.c".d` into its three names. */
function partsOf(dotted: string): readonly string[] {
  return Array.from(dotted.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|[\w+-]+/g), ([whole, quoted, literal]) =>
    quoted === undefined ? (literal ?? whole) : unquoted(quoted),
  )
}

function unquoted(text: string): string {
  const read = parseJson(`"${text}"`)
  return typeof read === "string" ? read : text
}

/** In an array of tables a name refers to its last element. */
function within(
  parts: readonly string[],
  above: readonly (string | number)[],
  counts: ReadonlyMap<string, number>,
): readonly (string | number)[] {
  let path = above
  for (const part of parts) {
    path = [...path, part]
    const count = counts.get(JSON.stringify(path))
    if (count !== undefined) path = [...path, count - 1]
  }
  return path.slice(above.length)
}

function nextOf(list: readonly (string | number)[], counts: Map<string, number>): readonly (string | number)[] {
  const key = JSON.stringify(list)
  const count = counts.get(key) ?? 0
  counts.set(key, count + 1)
  return [...list, count]
}

/** The first line that mentions a key counts for all its parents. */
function note(lines: Map<string, number>, path: readonly (string | number)[], line: number): void {
  for (let length = 1; length <= path.length; length++) {
    const key = JSON.stringify(path.slice(0, length))
    if (!lines.has(key)) lines.set(key, line)
  }
}
