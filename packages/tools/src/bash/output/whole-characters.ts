import { endOfUtf8, isContinuation } from "../../encoding/utf8.ts"

/** One stream cut between characters, so that pieces of several can stand in any order and none mixes its bytes with another's. */
export interface WholeCharacters {
  /** What is whole now, in order; the bytes may be those that were given. */
  of(bytes: Uint8Array): readonly Uint8Array[]
  /** The beginning of a character whose rest never came. */
  rest(): Uint8Array
}

/** A character has one byte that begins it and up to three that go on. */
const CONTINUATION_MAX = 3
const REPLACEMENT = "\ufffd"

/** A character that is cut by the end of a piece waits for its rest. */
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

/** Bytes that go on with nothing are none of a character: they may not go on with what another stream left open. */
function beginning(piece: Uint8Array): Uint8Array {
  const strays = countGoingOn(piece, piece.length)
  return strays === 0 ? piece : Buffer.concat([Buffer.from(REPLACEMENT.repeat(strays)), piece.subarray(strays)])
}

function countGoingOn(bytes: Uint8Array, most: number): number {
  let count = 0
  while (count < most && isContinuation(bytes[count])) count++
  return count
}
