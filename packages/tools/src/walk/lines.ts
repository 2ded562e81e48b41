import type { Host } from "@gong/spec"

/** Some whole lines of a file, in order. */
export interface Part {
  readonly lines: readonly string[]
  /** It holds a NUL: the file is no text. */
  readonly binary: boolean
}

const WINDOW_BYTES = 1024 * 1024
/** A line is looked at up to here. */
const LINE_MAX_CHARS = 16 * 1024 * 1024

/** The lines of a file, a window at a time, without their ends. UTF-8 unless a byte order mark says UTF-16; invalid bytes as U+FFFD. */
export async function* linesOf(host: Host, path: string): AsyncGenerator<Part> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let begun = ""
  let from = 0
  for (;;) {
    const bytes = await host.readRange(path, from, from + WINDOW_BYTES)
    decoder ??= new TextDecoder(encodingOf(bytes))
    from += bytes.length
    const last = bytes.length < WINDOW_BYTES
    const text = decoder.decode(bytes, { stream: !last })
    // The rest of a line that is longer than what is looked at.
    const skipped = begun.length < LINE_MAX_CHARS ? 0 : text.indexOf("\n")
    const lines = (begun + (skipped === -1 ? "" : text.slice(skipped))).split("\n")
    begun = last ? "" : (lines.pop() ?? "").slice(0, LINE_MAX_CHARS)
    if (last && lines.at(-1) === "") lines.pop()
    const binary = decoder.encoding === "utf-8" && bytes.includes(0)
    if (lines.length > 0 || binary) yield { lines: lines.map((line) => line.replace(/\r$/, "")), binary }
    if (last) return
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8"
}
