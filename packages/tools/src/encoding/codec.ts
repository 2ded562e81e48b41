/** Converts between bytes and text of one encoding. Each invalid byte becomes a stray: a lone surrogate. */
export interface Codec {
  /** Bytes per code unit. */
  readonly unit: 1 | 2
  decode(bytes: Uint8Array): string
  /**
   * The byte offset of text offset `to`, given that text offset `from` is at byte `at`; -1 if `to` is inside a
   * character.
   */
  byteOf(bytes: Uint8Array, at: number, text: string, from: number, to: number): number
  encode(text: string): Encoded
}

export type Encoded =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** The first character that the encoding lacks or has twice. */
  | { readonly ok: false; readonly character: string; readonly twice: boolean }

const STRAY_BASE = 0xdc00

/** Represents an invalid byte (0x80 to 0xFF) in text. Text from a model never matches it by accident. */
export function strayOf(byte: number): string {
  return String.fromCharCode(STRAY_BASE + byte)
}

/** Whether an offset is between the halves of a surrogate pair. */
export function insidePair(text: string, at: number): boolean {
  return at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
}

/** Text for users and models: strays become U+FFFD. */
export function shown(text: string): string {
  return text.toWellFormed()
}
