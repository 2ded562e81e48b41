import { countNewlines, NEWLINE } from "../../files/newlines.ts"
import { DEFAULT_MAX_BYTES } from "../../truncate.ts"
import { collectFullOutput, type OutputFile } from "./full-output.ts"
import { MIDDLE_MAX_BYTES, tailBuffer, headAndTailBuffer, type Excerpt } from "./head-and-tail.ts"
import { createRollingBuffer } from "./rolling-buffer.ts"
import { wholeCharacters } from "./whole-characters.ts"

export type StreamName = "stdout" | "stderr"

export interface OutputOptions {
  readonly maxLines?: number
  readonly maxBytes?: number
  /** The part of a long output that is shown: its end (default), or 256 KB each of its start and end. */
  readonly strategy?: "tail" | "middle"
  /** Path of the file for the full output. Called only when the output is too large. Default: the temp folder. */
  readonly spillPath?: () => Promise<string>
  /** New output in arrival order, cut at character boundaries. The bytes are reused after the call. */
  onOutput(bytes: Uint8Array): void
}

/** The output of a command: the shown part in memory, the rest in a file if it is too large. */
export interface Output {
  /** The caller reuses the bytes after the call. */
  add(bytes: Uint8Array, stream: StreamName): void
  /** The end of both streams together, at most 8 KB, also of what was taken. */
  newest(): string
  /** Whether output arrived since the last `take`. */
  fresh(): boolean
  /** Output since the last call. An incomplete character is kept for the next call. */
  take(): Promise<Collected>
  /** The remaining output. Closes the file. */
  end(): Promise<Collected>
  /** Ends and removes the file. */
  discard(): Promise<Collected>
}

export interface Collected extends Excerpt, OutputFile {
  /** Lines taken earlier, before those in the totals. */
  readonly linesBefore: number
  /** More output may follow. */
  readonly open: boolean
  /** The end of each stream separately. */
  readonly tails: Readonly<Record<StreamName, string>>
}

const STREAM_TAIL_BYTES = 4 * 1024
const NEWEST_BYTES = 8 * 1024
const streams = ["stdout", "stderr"] as const

export function collectOutput(options: OutputOptions): Output {
  const middle = options.strategy === "middle"
  const maxBytes = options.maxBytes ?? (middle ? MIDDLE_MAX_BYTES : DEFAULT_MAX_BYTES)
  const excerpt = middle ? headAndTailBuffer(maxBytes) : tailBuffer(options.maxLines, maxBytes)
  const whole = { stdout: wholeCharacters(), stderr: wholeCharacters() }
  const tails = { stdout: createRollingBuffer(STREAM_TAIL_BYTES), stderr: createRollingBuffer(STREAM_TAIL_BYTES) }
  const newest = createRollingBuffer(NEWEST_BYTES)
  const file = collectFullOutput(maxBytes, options.spillPath)
  let count = { bytes: 0, newlines: 0, linesBefore: 0, lastByte: NEWLINE }

  const show = (bytes: Uint8Array, stream: StreamName) => {
    if (bytes.length === 0) return
    excerpt.add(bytes)
    tails[stream].add(bytes)
    newest.add(bytes)
    options.onOutput(bytes)
  }
  const takeExcerpt = () => {
    const { truncation, middle: leftOut } = excerpt.shown()
    const totalLines = count.newlines + (count.bytes > 0 && count.lastByte !== NEWLINE ? 1 : 0)
    const found = {
      truncation: { ...truncation, totalBytes: count.bytes, totalLines },
      middle: leftOut,
      linesBefore: count.linesBefore,
      tails: { stdout: tails.stdout.text(), stderr: tails.stderr.text() },
    }
    excerpt.clear()
    for (const stream of streams) tails[stream].clear()
    count = { ...count, bytes: 0, newlines: 0, linesBefore: count.linesBefore + count.newlines }
    return found
  }
  const finish = () => {
    for (const stream of streams) show(whole[stream].rest(), stream)
    return takeExcerpt()
  }

  return {
    add(bytes, stream) {
      if (bytes.length === 0) return
      count.bytes += bytes.length
      count.newlines += countNewlines(bytes)
      count.lastByte = bytes[bytes.length - 1] ?? 0
      file.add(bytes)
      for (const piece of whole[stream].of(bytes)) show(piece, stream)
    },
    newest: newest.text,
    fresh: () => count.bytes > 0,
    async take() {
      const found = takeExcerpt()
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
