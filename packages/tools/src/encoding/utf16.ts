import { type Codec, insidePair } from "./codec.ts"

export const utf16le: Codec = {
  unit: 2,
  decode: (bytes) => bufferOf(bytes).toString("utf16le"),
  byteOf: (_bytes, at, text, from, to) => (insidePair(text, to) ? -1 : at + 2 * (to - from)),
  encode: (text) => ({ ok: true, bytes: Buffer.from(text, "utf16le") }),
}

export const utf16be: Codec = {
  unit: 2,
  decode: (bytes) => swapped(bytes).toString("utf16le"),
  byteOf: utf16le.byteOf,
  encode: (text) => ({ ok: true, bytes: swapped(Buffer.from(text, "utf16le")) }),
}

export type Utf16 = { readonly encoding: "utf-16le" | "utf-16be"; readonly mark: 0 | 2 }

const LOOKED_AT_BYTES = 8192

/**
 * Whether the start of a file looks like UTF-16. Without a byte order mark, one byte of each ASCII character must be
 * zero, always the same one. Text without ASCII cannot be detected.
 */
export function utf16Of(head: Uint8Array): Utf16 | null {
  const bytes = head.subarray(0, Math.min(head.length, LOOKED_AT_BYTES) & ~1)
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return isText(bytes, utf16le, 0) ? { encoding: "utf-16le", mark: 2 } : null
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return isText(bytes, utf16be, 0) ? { encoding: "utf-16be", mark: 2 } : null
  if (!bytes.includes(0)) return null
  if (isText(bytes, utf16le, ASCII_MIN_SHARE)) return { encoding: "utf-16le", mark: 0 }
  return isText(bytes, utf16be, ASCII_MIN_SHARE) ? { encoding: "utf-16be", mark: 0 } : null
}

// Includes U+0000, which rules out UTF-32 and most binary files.
const control = /[^\P{Cc}\t\n\f\r]|[\ufffe\uffff]/u
const ASCII_MIN_SHARE = 0.2

function isText(bytes: Uint8Array, codec: Codec, asciiShare: number): boolean {
  // The end may cut a surrogate pair.
  const text = codec.decode(bytes).replace(/[\ud800-\udbff]$/, "")
  if (text.length === 0 || control.test(text) || !text.isWellFormed()) return false
  const ascii = text.match(/[\t-~]/g)?.length ?? 0
  return ascii >= text.length * asciiShare
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength & ~1)
}

function swapped(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16()
}
