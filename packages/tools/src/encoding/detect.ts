import { commonCharacters } from "./common-characters.ts"
import type { DoubleByteName } from "./double-byte.ts"
import { utf8Length } from "./utf8.ts"

export type Detected = DoubleByteName | "windows-1252" | "utf-8" | "unknown"

const SAMPLE_MAX_BYTES = 64 * 1024

/**
 * The most likely encoding of bytes that are not all UTF-8. A wrong guess shows wrong characters but loses no bytes,
 * since unchanged text is never encoded again.
 */
export function detect(bytes: Uint8Array): Detected {
  const sample = sampleOf(bytes)
  if (mostlyUtf8(sample)) return "utf-8"
  let best: Detected = "unknown"
  let bestScore = MIN_SCORE
  for (const name of names) {
    const score = doubleByteScore(name, sample)
    if (score > bestScore) [best, bestScore] = [name, score]
  }
  return westernScore(sample) > bestScore ? "windows-1252" : best
}

const names = ["gb18030", "big5", "shift_jis", "euc-kr"] as const
/** In text of a supported language about half of the characters are common: a score of 0.5 or more. */
const MIN_SCORE = 0.1

const NEWLINE = 10

/** The first lines with non-ASCII bytes, which are all that identifies an encoding. No character spans a newline. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= SAMPLE_MAX_BYTES) return bytes
  const parts: Uint8Array[] = []
  let taken = 0
  for (let at = 0; at < bytes.length && taken < SAMPLE_MAX_BYTES; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue
    const start = bytes.lastIndexOf(NEWLINE, at) + 1
    const newline = bytes.indexOf(NEWLINE, at)
    const end = Math.min(newline === -1 ? bytes.length : newline + 1, start + SAMPLE_MAX_BYTES)
    parts.push(bytes.subarray(start, end))
    taken += end - start
    at = end - 1
  }
  return Buffer.concat(parts)
}

/** UTF-8 with a few invalid bytes: sequences of other encodings are rarely valid UTF-8 by chance. */
function mostlyUtf8(sample: Uint8Array): boolean {
  let sequences = 0
  let strays = 0
  for (let at = 0; at < sample.length;) {
    const length = utf8Length(sample, at)
    if (length === 0) strays++
    if (length > 1) sequences++
    at += Math.max(1, length)
  }
  return sequences > 0 && sequences >= strays
}

/** From -1 to 1: the share of non-ASCII bytes that decode to running text. */
function doubleByteScore(name: DoubleByteName, sample: Uint8Array): number {
  const text = new TextDecoder(name, { ignoreBOM: true }).decode(sample)
  const common: string = commonCharacters[name]
  let score = 0
  let count = 0
  for (const character of text) {
    if (character <= "\x7f") continue
    count++
    score += common.includes(character) ? 1 : otherScore(character)
  }
  return count === 0 ? -1 : score / count
}

const punctuation = "　、。，．：；？！“”‘’（）【】《》「」『』・…—～〜·"
const plausible = /^[\p{Script=Han}\p{Script=Hangul}\p{Extended_Pictographic}\uff01-\uff5e]$/u

function otherScore(character: string): number {
  if (punctuation.includes(character)) return 0.5
  // The replacement character, control characters and private use.
  if (/^[\ufffd\p{Cc}\p{Co}]$/u.test(character)) return -1
  return plausible.test(character) ? 0 : -0.5
}

/** The same for the Latin letters and signs of windows-1252, which occur alone or in pairs between ASCII. */
function westernScore(sample: Uint8Array): number {
  const text = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength).toString("latin1")
  let score = 0
  let count = 0
  for (const { 0: run, index } of text.matchAll(/[\x80-\xff]+/g)) {
    count += run.length
    const inWord = /[a-z]/i.test((text[index - 1] ?? "") + (text[index + run.length] ?? ""))
    for (let at = 0; at < run.length; at++) score += westernByteScore(run.charCodeAt(at), run.length, inWord)
  }
  return count === 0 ? -1 : score / count
}

function westernByteScore(byte: number, run: number, inWord: boolean): number {
  if (undefined1252.includes(byte)) return -1
  if (signs.includes(byte)) return run > 2 ? 0.4 : 0.7
  if (run > 2 || byte < 0xc0) return run > 1 ? -1 : 0.1
  if (run === 2) return inWord ? 0.5 : -0.5
  return inWord ? 0.7 : 0.4
}

const undefined1252: readonly number[] = [0x81, 0x8d, 0x8f, 0x90, 0x9d]
/** € … ‘ ’ “ ” • – — no-break space ¡ £ § © « ® ° ± ² ³ µ · » ¿ */
const signs: readonly number[] = [
  0x80, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0xa0, 0xa1, 0xa3, 0xa7, 0xa9, 0xab, 0xae, 0xb0, 0xb1, 0xb2,
  0xb3, 0xb5, 0xb7, 0xbb, 0xbf,
]
