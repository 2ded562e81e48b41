import { truncateStringToBytesFromEnd, DEFAULT_MAX_BYTES } from "../truncate.ts"
import { keptWhenOver, type KeptFile } from "./kept.ts"
import { MIDDLE_MAX_BYTES, recentEnd, recentEnds, type Shown } from "./recent.ts"

export type StreamName = "stdout" | "stderr"

export interface OutputOptions {
  readonly maxLines?: number
  readonly maxBytes?: number
  /** What of a long output is shown: its end (the default), or 256 KB each of its beginning and end. */
  readonly strategy?: "tail" | "middle"
  /** Where the full output goes when it is too much; asked for only then. Default: the temp folder. */
  readonly spillPath?: () => Promise<string>
  /** New text, in arrival order. */
  onText(text: string): void
}

/** What a command printed: what is shown of it in memory, all of it in a file when it was too much. */
export interface Output {
  add(bytes: Uint8Array, stream: StreamName): void
  /** Whether anything came since the last `take`. */
  readonly fresh: boolean
  /** What came since the last time; a character of which a part is missing comes the next time. */
  take(): Promise<Collected>
  /** The rest, and the end. */
  end(): Promise<Collected>
  /** Ends, and removes the file. */
  discard(): Promise<Collected>
}

export interface Collected extends Shown, KeptFile {
  /** Lines before those that the totals count: of what was taken earlier. */
  readonly linesBefore: number
  /** More may come. */
  readonly open: boolean
  /** The end of each stream alone. */
  readonly tails: Readonly<Record<StreamName, string>>
}

const STREAM_TAIL_BYTES = 4 * 1024
const NEWLINE = 10

export function collectOutput(options: OutputOptions): Output {
  const middle = options.strategy === "middle"
  const maxBytes = options.maxBytes ?? (middle ? MIDDLE_MAX_BYTES : DEFAULT_MAX_BYTES)
  const recent = middle ? recentEnds(maxBytes) : recentEnd(options.maxLines, maxBytes)
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  let tails = { stdout: "", stderr: "" }
  const file = keptWhenOver(maxBytes, options.spillPath)
  let count = { bytes: 0, newlines: 0, linesBefore: 0, lastByte: NEWLINE }

  const show = (text: string, stream: StreamName) => {
    if (text === "") return
    recent.add(text)
    tails[stream] = truncateStringToBytesFromEnd(tails[stream] + text, STREAM_TAIL_BYTES)
    options.onText(text)
  }
  const looked = () => {
    const { truncation, middle: leftOut } = recent.shown()
    const totalLines = count.newlines + (count.bytes > 0 && count.lastByte !== NEWLINE ? 1 : 0)
    const found = {
      truncation: { ...truncation, totalBytes: count.bytes, totalLines },
      middle: leftOut,
      linesBefore: count.linesBefore,
      tails,
    }
    recent.clear()
    tails = { stdout: "", stderr: "" }
    count = { ...count, bytes: 0, newlines: 0, linesBefore: count.linesBefore + count.newlines }
    return found
  }
  const finish = () => {
    for (const stream of ["stdout", "stderr"] as const) show(decoders[stream].decode(), stream)
    return looked()
  }

  return {
    add(bytes, stream) {
      if (bytes.length === 0) return
      count.bytes += bytes.length
      for (let at = 0; at < bytes.length; at++) if (bytes[at] === NEWLINE) count.newlines++
      count.lastByte = bytes[bytes.length - 1] ?? 0
      file.add(bytes)
      // A character cut by the end of a piece waits for its rest, in its own stream.
      show(decoders[stream].decode(bytes, { stream: true }), stream)
    },
    get fresh() {
      return count.bytes > 0
    },
    async take() {
      const found = looked()
      return { ...found, open: true, ...(await file.look(found.truncation.truncated)) }
    },
    async end() {
      const found = finish()
      return { ...found, open: false, ...(await file.end(found.truncation.truncated)) }
    },
    async discard() {
      const found = finish()
      await file.discard()
      return { ...found, open: false, leftOut: 0 }
    },
  }
}
