import type { Damage, Head } from "@gong/spec"
import { type Crc32, headLength, headOfLine, maxLine, validChecksum } from "../../line.ts"
import type { Disk } from "../disk/disk.ts"
import { salvage } from "./salvage.ts"

/** A valid line: its location, and its checksum, which tells a duplicate line from two lines with one id. */
export interface Record {
  readonly head: Head
  readonly file: string
  readonly offset: number
  /** Bytes, without the newline. */
  readonly length: number
  /** As written, and valid. */
  readonly checksum: number
}

const window = 1024 * 1024

export interface ScanFrom {
  readonly path: string
  /** The offset of a line, or of the newline before it. */
  readonly start: number
  readonly crc32: Crc32
}

/** A valid line; the bytes are valid during the call. Not settled: found in a last line that may be incomplete. */
export type OnRecord = (record: Record, bytes: Buffer, from: number, settled: boolean) => void

export interface ScannedTo {
  readonly size: number
  /** The file ends with a complete line and its newline: the next line can be appended. */
  readonly clean: boolean
  /** The end of the last settled line, before its newline, where a later scan starts: a torn line may still be written. */
  readonly end: number
}

/**
 * Reads the heads of all lines from an offset on and verifies checksums, without bodies; calls back for each valid line.
 * Memory: one window or the longest line.
 */
export function scanOn(disk: Disk, { path, start, crc32 }: ScanFrom, onRecord: OnRecord, damage: Damage[]): ScannedTo {
  let clean = true
  let end = start
  const size = eachLine(disk, path, start, (bytes, from, to, offset, whole) => {
    clean = whole
    if (whole) end = offset + to - from
    if (from === to) return
    const record = recordAt(bytes, from, to, path, offset, crc32)
    if (record !== null) {
      end = offset + to - from
      return onRecord(record, bytes, from, true)
    }
    const saved = salvage(bytes, from, to, crc32)
    for (const part of saved) {
      const found = recordAt(bytes, part.from, part.to, path, offset + part.from - from, crc32)
      if (found !== null) onRecord(found, bytes, part.from, whole)
    }
    damage.push({
      file: path,
      offset,
      kind: whole ? "damaged" : "torn",
      reason: reasonOf(bytes, from, to, whole, saved.length),
    })
  })
  return { size, clean, end }
}

function recordAt(bytes: Buffer, from: number, to: number, file: string, offset: number, crc32: Crc32): Record | null {
  const head = headOfLine(bytes.toString("latin1", from, Math.min(to, from + headLength)))
  if (head === null) return null
  const checksum = validChecksum(bytes, from, to, crc32)
  return checksum === null ? null : { head, file, offset, length: to - from, checksum }
}

function reasonOf(bytes: Buffer, from: number, to: number, whole: boolean, saved: number): string {
  const rest = saved === 0 ? "" : `; ${saved} whole ${saved === 1 ? "entry" : "entries"} found in it`
  if (!whole) return `last line is torn${rest}`
  if (bytes.subarray(from, to).includes(0)) return `line holds NUL bytes${rest}`
  return `line does not match its check sum${rest}`
}

type OnLine = (bytes: Buffer, from: number, to: number, offset: number, whole: boolean) => void

/**
 * Calls back for every line between newlines (0x0A), with `whole: false` for a last line without one, and once for a line of
 * `longest` bytes or more, with its start. Returns the size of the file.
 */
export function eachLine(disk: Disk, path: string, start: number, onLine: OnLine, longest = maxLine): number {
  const file = disk.open(path, "read")
  try {
    let bytes = Buffer.allocUnsafe(Math.min(window, Math.max(disk.fstat(file).size - start, 0) + 1))
    let length = 0
    let offset = start
    let overlong = false
    for (;;) {
      const count = disk.read(file, bytes.subarray(length), offset + length)
      if (count === 0) break
      const searched = length
      length += count
      let from = 0
      const filled = bytes.subarray(0, length)
      for (let newline = filled.indexOf(0x0a, searched); newline !== -1; newline = filled.indexOf(0x0a, from)) {
        if (!overlong) onLine(bytes, from, newline, offset + from, true)
        overlong = false
        from = newline + 1
      }
      if (from === 0 && length >= longest) {
        // Only its start is examined; the rest up to the next newline belongs to the same damage.
        if (!overlong) onLine(bytes, 0, length, offset, true)
        overlong = true
        from = length
      }
      bytes.copyWithin(0, from, length)
      length -= from
      offset += from
      if (length === bytes.length) bytes = doubled(bytes)
    }
    if (length > 0 || overlong) onLine(bytes, 0, length, offset, false)
    return offset + length
  } finally {
    disk.close(file)
  }
}

function doubled(bytes: Buffer): Buffer<ArrayBuffer> {
  const bigger = Buffer.allocUnsafe(bytes.length * 2)
  bytes.copy(bigger)
  return bigger
}
