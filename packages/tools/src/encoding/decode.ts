import { type Codec, shown } from "./codec.ts"
import { detect } from "./detect.ts"
import { doubleByte } from "./double-byte.ts"
import { singleByte } from "./single-byte.ts"
import { utf16be, utf16le, utf16Of } from "./utf16.ts"
import { endOfUtf8, exactUtf8, isUtf8, utf8 } from "./utf8.ts"

export type Encoding = keyof typeof codecs

/** Only ASCII is common to all encodings, so nothing else is written to a file of unknown encoding. */
const unknown: Codec = {
  ...utf8,
  encode(text) {
    const character = text.match(/[^\0-\x7f]/u)?.[0]
    return character === undefined ? utf8.encode(text) : { ok: false, character, twice: false }
  },
}

const codecs = {
  "utf-8": utf8,
  "utf-8-bom": utf8,
  "utf-16le": utf16le,
  "utf-16be": utf16be,
  gb18030: doubleByte("gb18030"),
  big5: doubleByte("big5"),
  shift_jis: doubleByte("shift_jis"),
  "euc-kr": doubleByte("euc-kr"),
  "windows-1252": singleByte("windows-1252"),
  unknown,
} as const

/** The encoding of a file. */
export interface Reading {
  readonly encoding: Encoding
  /** Length in bytes of the byte order mark. */
  readonly mark: number
  readonly codec: Codec
}

export function readingOf(bytes: Uint8Array): Reading {
  const { encoding: declared, mark } = markOf(bytes)
  const body = bytes.subarray(mark)
  const encoding = declared ?? (isUtf8(body) ? "utf-8" : detect(body))
  return { encoding, mark, codec: codecs[encoding] }
}

export interface DecodedPart {
  readonly encoding: Encoding
  /** For display: invalid bytes become U+FFFD. */
  readonly text: string
}

/**
 * Decodes some lines of a file that is not UTF-16. `before` are preceding lines, which help to detect the encoding.
 * With `cut` the last line may end inside a character, whose bytes are then omitted in UTF-8.
 */
export function decodePart(before: Uint8Array, bytes: Uint8Array, cut: boolean): DecodedPart {
  const { mark } = before.length === 0 ? markOf(bytes) : { mark: 0 }
  const body = bytes.subarray(mark)
  const end = cut ? endOfUtf8(body) : body.length
  const text = isUtf8(before) ? exactUtf8(body.subarray(0, end)) : null
  if (text !== null) return { encoding: mark === 0 ? "utf-8" : "utf-8-bom", text }
  const found = detect(Buffer.concat([before, body]))
  return { encoding: found, text: shown(codecs[found].decode(body)) }
}

/** The encoding given by the byte order mark, and the length of the mark. */
function markOf(bytes: Uint8Array): { readonly encoding: Encoding | null; readonly mark: number } {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: "utf-8-bom", mark: 3 }
  return utf16Of(bytes) ?? { encoding: null, mark: 0 }
}
