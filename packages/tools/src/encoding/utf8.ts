import { type Codec, insidePair, strayOf } from "./codec.ts"

/** UTF-8 that keeps invalid bytes as strays. */
export const utf8: Codec = {
  unit: 1,
  decode: (bytes) => exactUtf8(bytes) ?? decodeWithStrays(bytes),
  byteOf(_bytes, at, text, from, to) {
    if (insidePair(text, to)) return -1
    const part = text.slice(from, to)
    // A stray is one byte but counts as the three bytes of U+FFFD.
    return at + Buffer.byteLength(part) - 2 * countStrays(part)
  },
  encode: (text) => ({ ok: true, bytes: Buffer.from(text) }),
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The text of valid UTF-8; null otherwise. */
export function exactUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

const BLOCK_BYTES = 64 * 1024

/** Whether bytes are valid UTF-8. Checked in blocks, since decoding everything would double the memory. */
export function isUtf8(bytes: Uint8Array): boolean {
  for (let from = 0; from < bytes.length;) {
    const block = bytes.subarray(from, from + BLOCK_BYTES)
    // An incomplete character at the end of a block moves to the next block. At the end of all bytes it is invalid.
    const end = from + block.length === bytes.length ? block.length : endOfUtf8(block)
    if (exactUtf8(block.subarray(0, end)) === null) return false
    from += end
  }
  return true
}

function decodeWithStrays(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < bytes.length;) {
    const length = utf8Length(bytes, at)
    if (length === 0) {
      parts.push(buffer.toString("utf8", from, at), strayOf(bytes[at] ?? 0))
      from = at + 1
    }
    at += Math.max(1, length)
  }
  parts.push(buffer.toString("utf8", from))
  return parts.join("")
}

/** Byte length of the character that starts at `at`; 0 if none starts there. */
export function utf8Length(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  const second = bytes[at + 1] ?? 0
  // The second byte rules out overlong forms, surrogates and code points above U+10FFFF.
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (second < low || second > high) return 0
  for (let next = 2; next < length; next++) if (!isContinuation(bytes[at + next])) return 0
  return length
}

/** Whether a byte is a UTF-8 continuation byte. */
export function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80
}

/** The length without an incomplete character at the end. */
export function endOfUtf8(bytes: Uint8Array): number {
  for (let back = 1; back < Math.min(4, bytes.length + 1); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0) return utf8Length(bytes, bytes.length - back) === 0 ? bytes.length - back : bytes.length
  }
  return bytes.length
}

const maybeStray = /[\udc80-\udcff]/
const strays = /[\udc80-\udcff]/gu

function countStrays(text: string): number {
  // Without the u flag this also matches halves of pairs, but it is much faster, and most texts have no match.
  return maybeStray.test(text) ? (text.match(strays)?.length ?? 0) : 0
}
