/** How the bytes of one encoding and text belong together. Bytes that are no character are strays: each is one lone surrogate. */
export interface Codec {
  /** Bytes of which every character is a multiple. */
  readonly unit: 1 | 2
  decode(bytes: Uint8Array): string
  /** The byte where `to` stands, when `from` stands at byte `at`; -1 when `to` is inside a character. */
  byteOf(bytes: Uint8Array, at: number, text: string, from: number, to: number): number
  encode(text: string): Encoded
}

export type Encoded =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** The first character that the encoding does not have, or has twice. */
  | { readonly ok: false; readonly character: string; readonly twice: boolean }

const STRAY_BASE = 0xdc00

/** Stands in text for a byte (0x80 to 0xFF) that is no character; no text of a model matches it by accident. */
export function strayOf(byte: number): string {
  return String.fromCharCode(STRAY_BASE + byte)
}

/** Whether a place is between the halves of a surrogate pair. */
export function insidePair(text: string, at: number): boolean {
  return at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
}

/** A text for people and models: strays are shown as U+FFFD. */
export function shown(text: string): string {
  return text.toWellFormed()
}
