import { type DecodedPart, decodePart, readingOf } from "../encoding/decode.ts"
import { type Utf16, utf16Of } from "../encoding/utf16.ts"
import { SNIFF_BYTES } from "../files/files.ts"
import { sha256, sha256Stream } from "../host/digest.ts"
import { afterNewline, countNewlines, NEWLINE } from "../files/newlines.ts"
import { checkAborted } from "../result.ts"
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, formatSize, truncateHead, type Truncation } from "../truncate.ts"
import { type Source, windowsOf } from "../files/windows.ts"

export interface PageOptions {
  /** First line, counted from 1. */
  readonly first: number
  /** Number of lines that the model requested. */
  readonly limit?: number
  readonly maxLines?: number
  readonly maxBytes?: number
  readonly signal: AbortSignal
}

export interface Page {
  /** Totals are those of the file, as far as it was counted. */
  readonly truncation: Truncation
  /** What to do next, with `PATH` for the file name; empty if everything was shown. */
  readonly notice: string
  readonly encoding: string
  /** The first line is beyond the end of the file. */
  readonly beyond: boolean
  readonly totalLines: number
  /** Null if not all bytes were read. */
  readonly sha256: string | null
}

/** Lines of larger files are not counted beyond the page, so the first page of any file costs the same. */
const COUNT_MAX_BYTES = 64 * 1024 * 1024
/** UTF-16 is converted to UTF-8 as a whole, in memory. */
const WIDE_MAX_BYTES = 64 * 1024 * 1024

/** One page of a text file, with memory that does not grow with the file. */
export async function readPage(source: Source, options: PageOptions): Promise<Page> {
  const wide = utf16Of(await source.read(0, Math.min(source.size, SNIFF_BYTES)))
  return wide === null ? pageOf(source, options) : pageOfWide(source, options, wide)
}

/** UTF-16 newlines are two bytes that may also be halves of two characters, so the file is converted first. */
async function pageOfWide(source: Source, options: PageOptions, wide: Utf16): Promise<Page> {
  const whole = source.size <= WIDE_MAX_BYTES
  const bytes = await source.read(0, Math.min(source.size, WIDE_MAX_BYTES))
  checkAborted(options.signal)
  const { codec, mark } = readingOf(bytes)
  const text = Buffer.from(codec.decode(bytes.subarray(mark)))
  const page = await pageOf({ size: text.length, read: async (from, to) => text.subarray(from, to) }, options)
  const cut = whole
    ? ""
    : `[Only the first ${formatSize(WIDE_MAX_BYTES)} can be shown; use bash and iconv for the rest.]`
  const notice = [`[encoding: ${wide.encoding}]`, page.notice, cut].filter((line) => line !== "").join("\n")
  const truncation = { ...page.truncation, totalBytes: source.size }
  return { ...page, truncation, notice, encoding: wide.encoding, sha256: whole ? sha256(bytes) : null }
}

async function pageOf(source: Source, options: PageOptions): Promise<Page> {
  const maxLines = options.maxLines ?? DEFAULT_MAX_LINES
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES
  const wanted = Math.min(options.limit ?? Infinity, maxLines + 1)
  const found = await scan(source, options, wanted, maxBytes)
  const bytes = found.beyond ? new Uint8Array() : await source.read(found.start, found.end)
  const { text, encoding } = await decode(source, bytes, found.start, found.end < source.size)
  const cut = truncateHead(text, { maxLines, maxBytes })
  const truncation = { ...cut, totalLines: found.lines, totalBytes: source.size, ...nextOf(cut, options.first) }
  const named = encoding === "utf-8" || encoding === "utf-8-bom" ? "" : `[encoding: ${encoding}]`
  const next = notificationOf(truncation, found, options.first, source.size)
  const notice = named && next ? `${named}\n${next}` : named + next
  return { truncation, notice, encoding, beyond: found.beyond, totalLines: found.lines, sha256: found.sha256 }
}

interface Scan {
  /** Byte offsets of the page. `end` may be inside a line that is too long for any page. */
  readonly start: number
  readonly end: number
  /** Length in bytes of the first line, as far as it was read. */
  readonly firstLineBytes: number
  /** Lines from the start of the file to where counting stopped. */
  readonly lines: number
  /** Whether the whole file was counted. */
  readonly counted: boolean
  readonly beyond: boolean
  readonly sha256: string | null
}

/**
 * Finds the page and counts lines, window by window. Only windows that contain the start or end of the page are
 * searched.
 */
async function scan(source: Source, options: PageOptions, wanted: number, maxBytes: number): Promise<Scan> {
  const { first, signal } = options
  const counted = source.size <= COUNT_MAX_BYTES
  const hash = counted ? sha256Stream() : null
  let newlines = 0
  let start = first === 1 ? 0 : -1
  let end = -1
  let second = -1
  let last: number | undefined
  for await (const { from, bytes: window } of windowsOf(source)) {
    checkAborted(signal)
    hash?.update(window)
    const here = countNewlines(window)
    const behind = (line: number) => {
      const at = line - newlines
      return at >= 1 && at <= here ? from + afterNewline(window, at) : -1
    }
    if (start === -1) start = behind(first - 1)
    if (second === -1) second = behind(first)
    if (end === -1) end = behind(first + wanted - 1)
    newlines += here
    last = window.at(-1)
    const enough = end !== -1 || (start !== -1 && from + window.length - start > maxBytes + 1)
    if (!counted && enough) break
  }
  // A final newline ends the last line and does not add one.
  const lines = last === undefined || last === NEWLINE ? newlines : newlines + 1
  return {
    start,
    end: Math.min(end === -1 ? source.size : end, start + maxBytes + 2),
    firstLineBytes: (second === -1 ? source.size : second - 1) - start,
    lines,
    counted,
    beyond: start === -1 || (first > 1 && first > lines),
    sha256: hash === null ? null : hash.hex(),
  }
}

/** Counted from the first line of the file; the truncation counts from the first line of the page. */
function nextOf(cut: Truncation, first: number): { nextOffset?: number } {
  return cut.nextOffset === undefined ? {} : { nextOffset: first + cut.nextOffset - 1 }
}

function notificationOf(cut: Truncation, found: Scan, first: number, size: number): string {
  const limit = formatSize(cut.maxBytes)
  if (cut.firstLineExceedsLimit)
    return `[Line ${first} is ${formatSize(found.firstLineBytes)}, exceeds ${limit} limit. Use bash: sed -n '${first}p' PATH | head -c ${cut.maxBytes}]`
  const lastShown = first + cut.outputLines - 1
  if (found.counted && lastShown >= found.lines) return ""
  const goOn = `Use offset=${lastShown + 1} to continue.`
  const why = cut.truncatedBy === "bytes" ? ` (${limit} limit)` : ""
  if (!found.counted) {
    if (found.end === size && !cut.truncated) return ""
    return `[Showing lines ${first}-${lastShown} of more than ${lastShown} (file is ${formatSize(size)})${why}. ${goOn}]`
  }
  if (!cut.truncated) return `[${found.lines - lastShown} more lines in file. ${goOn}]`
  return `[Showing lines ${first}-${lastShown} of ${found.lines}${why}. ${goOn}]`
}

/** Bytes from the start of a file that help to detect the encoding of a later page. */
const HEAD_BYTES = 64 * 1024

/** A page that ends before the file may end inside a character of an omitted line. */
async function decode(source: Source, bytes: Uint8Array, from: number, cut: boolean): Promise<DecodedPart> {
  const head = from === 0 ? new Uint8Array() : await source.read(0, Math.min(from, HEAD_BYTES))
  return decodePart(head.subarray(0, head.lastIndexOf(NEWLINE) + 1), bytes, cut)
}
