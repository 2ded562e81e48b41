import { kindOfBytes } from "../files/files.ts"
import { readingOf } from "./decode.ts"

/** A text as the read tool decodes it, without a byte order mark. */
export interface DecodedText {
  readonly text: string
  /** Null for UTF-8. */
  readonly encoding: string | null
}

/** Null for a binary file. A cut file may end inside a character. */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  if (!("text" in kindOfBytes(bytes))) return null
  const { encoding, mark, codec } = readingOf(bytes)
  return { text: codec.decode(bytes.subarray(mark)), encoding: encoding.startsWith("utf-8") ? null : encoding }
}
