import { parseJson } from "@gong/spec"
/** The line of what stands under these keys, from 1; of the nearest above it where it stands inside of one; null for neither. */
export type TomlLines = (keys: readonly (string | number)[]) => number | null

/** Where keys and tables of a TOML text stand; the text is known to be valid, so that only its outline is read. */
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

/** Strings of one line and of several, comments, a name, or a single character. */
const tokens = /"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[\w+-]+|[^]/g

/** What begins each line that is no part of a value: `[a.b]` of a table, `a.b` of a key. */
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

/** `a."b.c".d` as its three names. */
function partsOf(dotted: string): readonly string[] {
  return Array.from(dotted.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|[\w+-]+/g), ([whole, quoted, literal]) =>
    quoted === undefined ? (literal ?? whole) : unquoted(quoted),
  )
}

function unquoted(text: string): string {
  const read = parseJson(`"${text}"`)
  return typeof read === "string" ? read : text
}

/** In a list of tables a name means the last one of the list. */
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

/** The first line in which something is spoken of is the one of all that it stands in. */
function note(lines: Map<string, number>, path: readonly (string | number)[], line: number): void {
  for (let length = 1; length <= path.length; length++) {
    const key = JSON.stringify(path.slice(0, length))
    if (!lines.has(key)) lines.set(key, line)
  }
}
