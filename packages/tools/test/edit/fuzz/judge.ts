import { type Asked, type Specimen, textOf } from "./specimen.ts"

/** The result of a tool for one file. */
export interface Deed {
  readonly isError: boolean
  readonly printed: string
  readonly after: Buffer
  /** The encoding reported by read. */
  readonly notified: string
}

export type Verdict = { readonly kind: string; readonly violation: string | null }

/**
 * Judges by the known file alone: the bytes of each character and the number of occurrences of a text. Uses none of the
 * tool's matching or decoding.
 */
export function judge(file: Specimen, asked: readonly Asked[], deed: Deed): Verdict {
  const counts = asked.map(({ oldText }) => countOf(textOf(file.atoms), oldText))
  if (deed.isError) return judgeRefusal(file, asked, counts, deed)
  const read = isRead(file, deed.notified)
  if (read && counts.some((count) => count > 1))
    return bad("applied", "a text that is there several times was replaced")
  const held = holds(file, asked, deed.after, read)
  return held
    ? { kind: read ? "applied" : "applied, encoding not known", violation: null }
    : bad("applied", "a byte that was not asked for changed")
}

/** Whether the tool detected the encoding; an ASCII file has none. */
function isRead(file: Specimen, notified: string): boolean {
  return notified.replace("-bom", "") === file.alphabet.name || isAscii(file)
}

function isAscii(file: Specimen): boolean {
  return !file.alphabet.name.startsWith("utf-16") && file.bytes.every((byte) => byte < 0x80)
}

function judgeRefusal(file: Specimen, asked: readonly Asked[], counts: readonly number[], deed: Deed): Verdict {
  if (!deed.after.equals(file.bytes)) return bad("refused", "a refused edit changed the file")
  const reason = Object.entries(reasons).find(([, pattern]) => pattern.test(deed.printed))?.[0]
  if (reason === undefined) return bad("refused", `a refusal without a reason that is known: ${deed.printed}`)
  const kind = `refused: ${reason}`
  const fine =
    !isRead(file, deed.notified) ||
    (reason === "binary" && file.tail.length > 0) ||
    (reason === "several" && counts.some((count) => count !== 1)) ||
    (reason === "not there" && counts.includes(0)) ||
    (reason === "lacking" && asked.some(({ newText }) => file.alphabet.encode(newText) === null)) ||
    (reason === "same" &&
      asked.every((one) => normalEndings(one.newText) === textOf(file.atoms.slice(one.from, one.to)))) ||
    // Matches chosen apart may touch if they include trailing blanks.
    (reason === "overlap" && asked.length > 1 && asked.some(({ oldText }) => /\s$/.test(oldText)))
  return fine ? { kind, violation: null } : bad(kind, `refused without need: ${deed.printed}`)
}

const reasons = {
  binary: /^Binary file/,
  several: /^Found \d+ occurrences/,
  "not there": /^Could not find/,
  lacking: /cannot be written into it|does not exist in|has two codes in/,
  same: /^No changes made/,
  overlap: /overlap/,
  inside: /inside a character/,
}

/** How many matches a text may have: exact, or with quotes, dashes, blanks and forms normalized. 0 for blanks alone. */
function countOf(text: string, oldText: string): number {
  const old = normalEndings(oldText)
  const near = plain(old)
  if (near.trim() === "") return occurrences(text, old)
  // Its trailing blanks must be in the file or at a line end: "foo " is not in "food".
  const tail = /[^\S\n]*$/u.exec(plainInside(old))?.[0] ?? ""
  const pattern = new RegExp(`${escaped(near)}(?:(?=\n|$)|${escaped(tail)})`, "gu")
  return Math.max(occurrences(text, old), plain(text).match(pattern)?.length ?? 0)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
}

function normalEndings(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\r", "\n")
}

function occurrences(text: string, part: string): number {
  return part === "" ? 0 : text.split(part).length - 1
}

const same: readonly (readonly [string, string])[] = [
  ["‘’‚‛", "'"],
  ["“”„‟", '"'],
  ["‐‑‒–—―−", "-"],
  ["\u00A0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000", " "],
]

function plainInside(text: string): string {
  let out = text.normalize("NFC")
  for (const [many, one] of same) for (const character of many) out = out.split(character).join(one)
  return out
}

function plain(text: string): string {
  return plainInside(text)
    .split("\n")
    .map((line) => line.replace(/\s+$/u, ""))
    .join("\n")
}

/** The file is unchanged except for the requested ranges. */
function holds(file: Specimen, asked: readonly Asked[], after: Buffer, read: boolean): boolean {
  const starts = [file.mark.length]
  for (const { bytes } of file.atoms) starts.push((starts.at(-1) ?? 0) + bytes.length)
  const first = asked[0]
  const last = asked.at(-1)
  if (first === undefined || last === undefined) return false
  if (!read) {
    // The inserted bytes are unknown; those around them are not.
    const head = file.bytes.subarray(0, starts[first.from])
    const tail = file.bytes.subarray(starts[last.to])
    return after.subarray(0, head.length).equals(head) && after.subarray(after.length - tail.length).equals(tail)
  }
  const pieces: (Buffer | null)[] = []
  let done = 0
  for (const one of asked) {
    pieces.push(file.bytes.subarray(done, starts[one.from]))
    for (const [at, line] of normalEndings(one.newText).split("\n").entries()) {
      if (at > 0) pieces.push(null)
      const bytes = isAscii(file) ? Buffer.from(line) : file.alphabet.encode(line)
      if (bytes === null) return false
      pieces.push(bytes)
    }
    done = starts[one.to] ?? 0
  }
  pieces.push(file.bytes.subarray(done))
  const endings = ["\r\n", "\n", "\r"].map((ending) => file.alphabet.encode(ending) ?? Buffer.alloc(0))
  return fits(after, 0, pieces, 0, endings)
}

/** Whether bytes are these pieces in sequence; null is a newline of any kind. */
function fits(
  bytes: Buffer,
  at: number,
  pieces: readonly (Buffer | null)[],
  index: number,
  endings: readonly Buffer[],
): boolean {
  const piece = pieces[index]
  if (piece === undefined) return at === bytes.length
  const choices = piece === null ? endings : [piece]
  return choices.some(
    (choice) =>
      bytes.subarray(at, at + choice.length).equals(choice) &&
      fits(bytes, at + choice.length, pieces, index + 1, endings),
  )
}

function bad(kind: string, violation: string): Verdict {
  return { kind, violation }
}
