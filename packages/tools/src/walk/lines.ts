import type { Host } from "@gong/spec"

/** Some complete lines of a file, in order. */
export interface Part {
  readonly lines: readonly string[]
  /** Contains a NUL byte, so the file is binary. */
  readonly binary: boolean
}

const WINDOW_BYTES = 1024 * 1024
/** Longer lines are searched only up to here. */
const LINE_MAX_CHARS = 16 * 1024 * 1024

/**
 * The lines of a file without their ends, one window at a time. UTF-8 unless a byte order mark indicates UTF-16.
 * Invalid bytes become U+FFFD.
 */
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
    // Skips the rest of a line beyond the limit.
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
