import type { Part } from "./syntax.ts"
import { unknown } from "./value.ts"

/** Maximum number of words from one word. */
const maxWords = 64
/** Maximum length of a word with brace expansion. */
const maxPieces = 4096

/** An unquoted character, or any other part of a word. */
type Piece = string | Part

/** `a{b,c}d` becomes two words, `{1..3}` its two ends; a word without braces stays itself. */
export function expandBraces(parts: readonly Part[]): readonly (readonly Part[])[] {
  if (!parts.some((part) => part.type === "text" && !part.quoted && part.text.includes("{"))) return [parts]
  const pieces = parts.flatMap<Piece>((part) => (part.type === "text" && !part.quoted ? Array.from(part.text) : [part]))
  let open: readonly (readonly Piece[])[] = [pieces]
  const done: (readonly Piece[])[] = []
  while (open.length > 0) {
    if (open.length + done.length > maxWords || pieces.length > maxPieces)
      return [[{ type: "text", text: unknown, quoted: true }]]
    const [first = [], ...rest] = open
    const words = expandFirst(first)
    if (words === null) done.push(first)
    open = [...(words ?? []), ...rest]
  }
  return done.map(partsOf)
}

/** The words of its first brace; null without one. */
function expandFirst(pieces: readonly Piece[]): readonly (readonly Piece[])[] | null {
  for (
    let [from, tries] = [pieces.indexOf("{"), 0];
    from >= 0 && tries < maxWords;
    from = pieces.indexOf("{", from + 1), tries++
  ) {
    const choices = choicesAt(pieces, from)
    if (choices !== null)
      return choices.items.map((item) => [...pieces.slice(0, from), ...item, ...pieces.slice(choices.end + 1)])
  }
  return null
}

/** The alternatives of the brace at `from`, and its end; null for a literal brace. */
function choicesAt(pieces: readonly Piece[], from: number) {
  const items: Piece[][] = [[]]
  for (let [at, depth] = [from + 1, 0]; at < pieces.length; at++) {
    const piece = pieces[at] ?? ""
    if (piece === "}" && depth === 0) {
      const range = items.length === 1 ? rangeOf(items[0] ?? []) : items
      return range === null ? null : { items: range, end: at }
    }
    if (piece === "," && depth === 0) items.push([])
    else items.at(-1)?.push(piece)
    if (piece === "{") depth++
    else if (piece === "}") depth--
  }
  return null
}

/** `1..5`, `a..e`, `1..9..2`; only the ends matter here. */
function rangeOf(pieces: readonly Piece[]): Piece[][] | null {
  const text = pieces.every((piece) => typeof piece === "string") ? pieces.join("") : ""
  const [, first, last] = /^(-?\w{1,20})\.\.(-?\w{1,20})(?:\.\.-?\d{1,9})?$/.exec(text) ?? []
  return first === undefined || last === undefined ? null : [Array.from(first), Array.from(last)]
}

function partsOf(pieces: readonly Piece[]): readonly Part[] {
  const parts: Part[] = []
  for (const piece of pieces) {
    const last = parts.at(-1)
    if (typeof piece !== "string") parts.push(piece)
    else if (last?.type === "text" && !last.quoted) parts[parts.length - 1] = { ...last, text: last.text + piece }
    else parts.push({ type: "text", text: piece, quoted: false })
  }
  return parts
}
