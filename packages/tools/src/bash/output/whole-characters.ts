import { endOfUtf8, isContinuation } from "../../encoding/utf8.ts"

/**
 * Cuts one stream at character boundaries, so that chunks of several streams can be interleaved without mixing bytes of
 * a character.
 */
export interface WholeCharacters {
  /** Complete characters, in order. May return the given bytes without a copy. */
  of(bytes: Uint8Array): readonly Uint8Array[]
  /** An incomplete character at the end of the stream. */
  rest(): Uint8Array
}

/** A UTF-8 character has a lead byte and up to three continuation bytes. */
const CONTINUATION_MAX = 3
const REPLACEMENT = "\ufffd"

/** Keeps a character that is cut by the end of a chunk until the rest arrives. */
export function wholeCharacters(): WholeCharacters {
  let waiting = new Uint8Array(0)
  return {
    of(bytes) {
      const more = waiting.length === 0 ? 0 : countGoingOn(bytes, CONTINUATION_MAX)
      const first = Buffer.concat([waiting, bytes.subarray(0, more)])
      const after = bytes.subarray(more)
      const [last, ...before] = after.length === 0 ? [first] : [after, first]
      const end = endOfUtf8(last)
      waiting = new Uint8Array(last.subarray(end))
      return [...before, last.subarray(0, end)].map(beginning)
    },
    rest() {
      const rest = waiting
      waiting = new Uint8Array(0)
      return rest
    },
  }
}

/** Stray continuation bytes are replaced, since they could complete a character of another stream. */
function beginning(piece: Uint8Array): Uint8Array {
  const strays = countGoingOn(piece, piece.length)
  return strays === 0 ? piece : Buffer.concat([Buffer.from(REPLACEMENT.repeat(strays)), piece.subarray(strays)])
}

function countGoingOn(bytes: Uint8Array, most: number): number {
  let count = 0
  while (count < most && isContinuation(bytes[count])) count++
  return count
}
