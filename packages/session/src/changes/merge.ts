import { equalEnds, isComparable, phrase, type Phrase, type Text } from "@gong/spec"
import { diff3Merge } from "node-diff3"

export interface Sides {
  /** The content after the session's change. */
  readonly left: Uint8Array
  /** The content before the session. */
  readonly before: Uint8Array
  /** The content now, with changes by others. */
  readonly now: Uint8Array
}

export type Merged =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** `reason` is a clause whose subject is the file. */
  | { readonly ok: false; readonly reason: Text }

/** The most lines that are compared, of all three versions together; equal lines at both ends do not count. */
const maxLines = 12_000

/**
 * Reverts the session's change and keeps changes by others, byte for byte, where the two do not conflict. Lines are bytes up to
 * a newline, so that no encoding is damaged.
 */
export function revertChange({ left, before, now }: Sides): Merged {
  if ([left, before, now].some((bytes) => bytes.includes(0)))
    return { ok: false, reason: phrase`it is binary and was changed by someone else since` }
  const sides = { left: linesOf(left), before: linesOf(before), now: linesOf(now) }
  const all = Object.values(sides)
  const { start, end } = equalEnds(all)
  const middle = (lines: readonly string[]) => lines.slice(start, lines.length - end)
  const compared = { left: middle(sides.left), before: middle(sides.before), now: middle(sides.now) }
  const { before: common } = compared
  const count = compared.left.length + common.length + compared.now.length
  if (count > maxLines || !isComparable(common, compared.left) || !isComparable(common, compared.now))
    return { ok: false, reason: phrase`it was changed by someone else since, in too many lines to compare` }
  const regions = diff3Merge(compared.before, compared.left, compared.now, { excludeFalseConflicts: true })
  const places = regions.flatMap(({ conflict }) =>
    conflict ? [rangeText(start + conflict.bIndex, conflict.b.length)] : [],
  )
  if (places.length > 0) return { ok: false, reason: conflictText(places) }
  const merged = regions.flatMap(({ ok }) => ok ?? [])
  return {
    ok: true,
    bytes: bytesOf([...sides.now.slice(0, start), ...merged, ...sides.now.slice(sides.now.length - end)]),
  }
}

const NEWLINE = 10
const CHUNK = 8192

/** Lines with their newlines; each character is one byte. */
function linesOf(bytes: Uint8Array): readonly string[] {
  const lines: string[] = []
  for (let at = 0; at < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, at)
    const end = newline === -1 ? bytes.length : newline + 1
    let line = ""
    for (; at < end; at = Math.min(end, at + CHUNK))
      line += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + CHUNK)))
    lines.push(line)
  }
  return lines
}

function bytesOf(lines: readonly string[]): Uint8Array {
  const text = lines.join("")
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** In the file as it is now; lines count from 1. */
function rangeText(index: number, count: number): Phrase {
  if (count === 0) return phrase`behind line ${index}`
  return count === 1 ? phrase`line ${index + 1}` : phrase`lines ${index + 1}-${index + count}`
}

const maxPlaces = 10

function conflictText(places: readonly Phrase[]): Phrase {
  const shown = places.slice(0, maxPlaces).reduce((said, place) => phrase`${said}, ${place}`)
  return places.length > maxPlaces
    ? phrase`it was changed by someone else since, where the session had changed it: ${shown} and ${places.length - maxPlaces} more places`
    : phrase`it was changed by someone else since, where the session had changed it: ${shown}`
}
