import { type Answer, done, refuse } from "@gong/app/controller/answer"

/** Maximum bytes of a command, which may contain images. */
export const maxCommand = 32 * 1024 * 1024

const lineFeed = 0x0a

/**
 * The lines of a byte stream, without line ends; empty lines are skipped, and the last one needs no end. A line above `most` bytes is
 * not buffered and becomes an error at its end. Invalid UTF-8 is an error too.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  most: number = maxCommand,
): AsyncGenerator<Answer<string>> {
  let parts: Uint8Array[] = []
  let size = 0
  const append = (piece: Uint8Array): void => {
    size += piece.length
    if (size > most) parts = []
    else if (piece.length > 0) parts.push(piece)
  }
  const line = (): Answer<string> => {
    const read = size > most ? tooLarge(size, most) : decoded(parts)
    parts = []
    size = 0
    return read
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      append(chunk.subarray(from, at))
      from = at + 1
      const read = line()
      if (!read.ok || read.data.trim() !== "") yield read
    }
    append(chunk.subarray(from))
  }
  const last = line()
  if (!last.ok || last.data.trim() !== "") yield last
}

function tooLarge(size: number, most: number): Answer<never> {
  return refuse("too_large", `This line has ${size} bytes; the maximum is ${most}.`)
}

function decoded(parts: readonly Uint8Array[]): Answer<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  try {
    const text = parts.map((part) => decoder.decode(part, { stream: true })).join("")
    return done(text + decoder.decode())
  } catch {
    return refuse("bad_json", "This line is not UTF-8.")
  }
}
