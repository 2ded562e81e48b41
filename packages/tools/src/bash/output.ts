import { openSpill, temporarySpillPath, type Spill } from "../host/spill.ts"
import { codeOf } from "../result.ts"
import {
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_LINES,
  truncateStringToBytesFromEnd,
  truncateTail,
  type Truncation,
} from "../truncate.ts"

export type StreamName = "stdout" | "stderr"

export interface OutputOptions {
  readonly maxLines?: number
  readonly maxBytes?: number
  /** Where the full output goes when it is too much; asked for only then. Default: the temp folder. */
  readonly spillPath?: () => Promise<string>
  /** New text, in arrival order. */
  onText(text: string): void
}

/** What a command printed: the end of it in memory, all of it in a file when it was too much. */
export interface Output {
  add(bytes: Uint8Array, stream: StreamName): void
  end(): Promise<Collected>
  /** Ends, and removes the file. */
  discard(): Promise<Collected>
}

export interface Collected {
  /** Totals are those of the whole output. */
  readonly truncation: Truncation
  readonly path?: string
  /** Why there is no file although there should be. */
  readonly unsaved?: string
  /** Bytes that the file does not hold. */
  readonly leftOut: number
  /** The end of each stream alone. */
  readonly tails: Readonly<Record<StreamName, string>>
}

const BUFFER_BYTES = 2 * DEFAULT_MAX_BYTES
const STREAM_TAIL_BYTES = 4 * 1024
/** Small pieces are joined up to this size, so that the buffer is a short list. */
const PIECE_BYTES = 4 * 1024

export function collectOutput(options: OutputOptions): Output {
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  const tails = { stdout: "", stderr: "" }
  const recent = rollingText(Math.max(BUFFER_BYTES, 2 * maxBytes))
  const file = spillWhenOver(maxBytes, options.spillPath)
  let totalBytes = 0
  let newlines = 0
  let lastByte = 0

  const show = (text: string, stream: StreamName) => {
    if (text === "") return
    recent.add(text)
    tails[stream] = truncateStringToBytesFromEnd(tails[stream] + text, STREAM_TAIL_BYTES)
    options.onText(text)
  }

  const collect = (): Truncation => {
    for (const stream of ["stdout", "stderr"] as const) show(decoders[stream].decode(), stream)
    const cut = truncateTail(recent.text(), { maxLines: options.maxLines ?? DEFAULT_MAX_LINES, maxBytes })
    const totalLines = newlines + (totalBytes > 0 && lastByte !== 10 ? 1 : 0)
    return { ...cut, totalBytes, totalLines }
  }

  return {
    add(bytes, stream) {
      if (bytes.length === 0) return
      totalBytes += bytes.length
      for (let at = 0; at < bytes.length; at++) if (bytes[at] === 10) newlines++
      lastByte = bytes[bytes.length - 1] ?? 0
      file.add(bytes)
      // A character cut by the end of a piece waits for its rest, in its own stream.
      show(decoders[stream].decode(bytes, { stream: true }), stream)
    },
    async end() {
      const truncation = collect()
      return { truncation, tails, ...(await file.end(truncation.truncated)) }
    },
    async discard() {
      const truncation = collect()
      await file.discard()
      return { truncation, tails, leftOut: 0 }
    },
  }
}

/** The newest text; the oldest pieces go when the rest is enough, and one always stays. */
function rollingText(capacity: number): { add(text: string): void; text(): string } {
  const pieces: { text: string; bytes: number }[] = []
  let total = 0
  return {
    add(text) {
      const bytes = Buffer.byteLength(text)
      const last = pieces.at(-1)
      if (last && last.bytes + bytes <= PIECE_BYTES) {
        last.text += text
        last.bytes += bytes
      } else pieces.push({ text, bytes })
      total += bytes
      while (pieces.length > 1 && total - (pieces[0]?.bytes ?? 0) >= capacity) total -= pieces.shift()?.bytes ?? 0
    },
    text: () => pieces.map((piece) => piece.text).join(""),
  }
}

interface SpillEnd {
  readonly path?: string
  readonly unsaved?: string
  readonly leftOut: number
}

/** Holds the bytes until they are too many, then opens the file and puts them in it. A disk that refuses never ends the command. */
function spillWhenOver(threshold: number, spillPath: () => Promise<string> = async () => temporarySpillPath()) {
  let waiting: Uint8Array[] = []
  let total = 0
  let opening: Promise<void> | undefined
  let spill: Spill | undefined
  let unsaved: string | undefined

  const guarded = (work: () => void) => {
    try {
      work()
    } catch (error) {
      unsaved = codeOf(error) ?? "the disk refused it"
      waiting = []
    }
  }
  const open = async () => {
    try {
      const path = await spillPath()
      spill = openSpill(path)
      for (const bytes of waiting) spill.add(bytes)
      waiting = []
    } catch (error) {
      unsaved = codeOf(error) ?? "the disk refused it"
      waiting = []
    }
  }
  const discard = async () => {
    await opening
    guarded(() => spill?.discard())
  }

  return {
    add(bytes: Uint8Array) {
      total += bytes.length
      if (unsaved !== undefined) return
      if (spill !== undefined) return guarded(() => spill?.add(bytes))
      waiting.push(bytes)
      if (total > threshold) opening ??= open()
    },
    async end(truncated: boolean): Promise<SpillEnd> {
      if (truncated) opening ??= open()
      await opening
      let leftOut = 0
      guarded(() => (leftOut = spill?.end() ?? 0))
      if (unsaved !== undefined) {
        await discard()
        return { unsaved, leftOut: 0 }
      }
      return { ...(spill && { path: spill.path }), leftOut }
    },
    discard,
  }
}
